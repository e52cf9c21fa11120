import { expect } from 'chai';
import { roles } from '#domain/access.ts';
import { accessMatrix } from '../../support/access-matrix.ts';
import type { Client } from '../support/client.ts';
import { expectError } from '../support/expectations.ts';
import { describeService, type RoleName } from '../support/service.ts';
import { nowhere, once } from '../support/shop.ts';

const scopes = [...new Set(accessMatrix.map(({ scope }) => scope))];

/** Requests a resource that does not exist, with an invalid body: a permitted client gets an error other than 401 and 403. */
const ask = (client: Client, target: string) => {
  const [method = '', path = ''] = target.split(' ');
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const address = `/v1${path.replaceAll(/\{\w+\}/g, nowhere)}`;
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

  for (const { target, scope, role } of accessMatrix) {
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
    expectError(await customer.patch('/v1/products/unknown', {}), 'FORBIDDEN');
  });
});
