import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { expectError } from '../support/expectations.ts';
import { describeService, type RoleName } from '../support/service.ts';
import { nowhere, once } from '../support/shop.ts';

/** Each endpoint, the scope that its key needs, and the lowest role. */
const endpoints: readonly (readonly [target: string, scope: string, role: RoleName])[] = [
  ['GET /products', 'products:read', 'customer'],
  ['POST /products', 'products:write', 'staff'],
  ['GET /products/{id}', 'products:read', 'customer'],
  ['PUT /products/{id}', 'products:write', 'staff'],
  ['PATCH /products/{id}', 'products:write', 'staff'],
  ['DELETE /products/{id}', 'products:write', 'staff'],
  ['GET /users', 'users:read', 'staff'],
  ['POST /users', 'users:write', 'admin'],
  ['GET /users/{id}', 'users:read', 'customer'],
  ['PATCH /users/{id}', 'users:write', 'admin'],
  ['DELETE /users/{id}', 'users:write', 'admin'],
  ['GET /users/{id}/orders', 'orders:read', 'customer'],
  ['GET /orders', 'orders:read', 'customer'],
  ['POST /orders', 'orders:write', 'customer'],
  ['GET /orders/{id}', 'orders:read', 'customer'],
  ['PATCH /orders/{id}', 'orders:write', 'customer'],
  ['GET /orders/{id}/items', 'orders:read', 'customer'],
  ['POST /orders/{id}/items', 'orders:write', 'customer'],
  ['GET /orders/{id}/items/{id}', 'orders:read', 'customer'],
  ['PATCH /orders/{id}/items/{id}', 'orders:write', 'customer'],
  ['DELETE /orders/{id}/items/{id}', 'orders:write', 'customer'],
  ['GET /reviews', 'reviews:read', 'customer'],
  ['POST /reviews', 'reviews:write', 'customer'],
  ['GET /reviews/{id}', 'reviews:read', 'customer'],
  ['PATCH /reviews/{id}', 'reviews:write', 'customer'],
  ['DELETE /reviews/{id}', 'reviews:write', 'customer'],
  ['GET /payments', 'payments:read', 'customer'],
  ['POST /payments', 'payments:write', 'customer'],
  ['GET /payments/{id}', 'payments:read', 'customer'],
  ['GET /refunds', 'refunds:read', 'customer'],
  ['POST /refunds', 'refunds:write', 'staff'],
  ['GET /refunds/{id}', 'refunds:read', 'customer'],
  ['GET /api-keys', 'api-keys:read', 'customer'],
  ['POST /api-keys', 'api-keys:write', 'customer'],
  ['GET /api-keys/{id}', 'api-keys:read', 'customer'],
  ['DELETE /api-keys/{id}', 'api-keys:write', 'customer'],
];

const roles: readonly RoleName[] = ['customer', 'staff', 'admin'];
const scopes = [...new Set(endpoints.map(([, scope]) => scope))];

/** Requests a resource that does not exist, with an invalid body: a permitted client gets an error other than 401 and 403. */
const ask = (client: Client, target: string) => {
  const [method = '', path = ''] = target.split(' ');
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const address = `/v1${path.replaceAll('{id}', nowhere)}`;
  return client.send(method, address, hasBody ? { no_such_field: 1 } : undefined, once());
};

describeService('Permission', {}, (service) => {
  const people = new Map<RoleName, Client>();
  const without = new Map<string, Client>();
  const withOnly = new Map<string, Client>();

  before(async () => {
    for (const role of roles) people.set(role, await service.person(role));
    for (const scope of scopes) {
      without.set(
        scope,
        await service.person(
          'admin',
          scopes.filter((other) => other !== scope),
        ),
      );
      withOnly.set(scope, await service.person('admin', [scope]));
    }
  });

  const isPermitted = async (client: Client | undefined, target: string): Promise<boolean> => {
    const answer = await ask(client ?? service.stranger, target);
    if (answer.status !== 403 && answer.status !== 401) return true;
    expectError(answer, answer.status === 403 ? 'FORBIDDEN' : 'UNAUTHORIZED');
    return false;
  };

  for (const [target, scope, role] of endpoints) {
    it(`to ${target} needs the role ${role} or above and a key with ${scope}`, async () => {
      expectError(await ask(service.stranger, target), 'UNAUTHORIZED');
      for (const one of roles) {
        const isTrusted = roles.indexOf(one) >= roles.indexOf(role);
        expect(await isPermitted(people.get(one), target), one).to.equal(isTrusted);
      }
      expect(await isPermitted(withOnly.get(scope), target), 'with that scope alone').to.equal(true);
      expect(await isPermitted(without.get(scope), target), 'with every other scope').to.equal(false);
    });
  }

  it('is checked before the resource is read', async () => {
    const customer = await service.person('customer');
    expectError(await customer.delete(`/v1/products/${nowhere}`), 'FORBIDDEN');
    expectError(await customer.patch('/v1/users/unknown', {}), 'FORBIDDEN');
  });
});
