import { expect } from 'chai';
import { Role, type Scope } from '#domain/access.ts';
import type { ApiResponse } from '../../support/client.ts';
import { expectProblem, expectRateLimit } from '../../support/protocol.ts';
import { type RouteShop, rolesAround } from '../route-shop.ts';
import type { Request } from '../samples.ts';
import type { Declared } from '../table.ts';
import { everyRoute, type Rule, withQuery } from './rule.ts';

const scopeOf = ({ security }: Declared): Scope => security[0]?.apiKey[0];

/** A request that no permitted caller gets 403 for: it is invalid. */
const invalid = (shop: RouteShop, operation: Declared): Request => ({
  ...shop.samples.form(operation),
  ...(operation.requestBody && { body: { no_such_field: 1 } }),
});

/** Whether the caller may send such a request, whatever becomes of it. */
const isPermitted = ({ status }: ApiResponse): boolean => status !== 401 && status !== 403;

const expectForbidden = (response: ApiResponse, missing: string): void => {
  expectProblem(response, '403 FORBIDDEN');
  expectRateLimit(response);
  expect(response.body.error.message).to.include(missing);
};

/** Who may send a request. */
export const callerRules: readonly Rule[] = [
  {
    title: 'responds 401 without a valid credential, and names the scheme Bearer',
    isFor: everyRoute,
    check: async (shop, operation) => {
      for (const token of [undefined, 'nonsense']) {
        const response = await shop.with(token)(shop.samples.form(operation));
        expectProblem(response, '401 UNAUTHORIZED');
        expect(response.headers.get('WWW-Authenticate')).to.equal('Bearer');
        expect(response.headers.has('X-RateLimit-Limit')).to.equal(false);
      }
    },
  },
  {
    title: 'responds 403 without its scope, and names it, and to a key with that scope alone it does not',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const request = invalid(shop, operation);
      const scope = scopeOf(operation);
      expectForbidden(await (await shop.without(scope))(request), `the scope ${scope}.`);
      expect(isPermitted(await (await shop.only(scope))(request))).to.equal(true);
    },
  },
  {
    title: 'responds 403 below its role, and names what is missing, and to that role and above it does not',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const request = invalid(shop, operation);
      const { below, above } = rolesAround(operation);
      for (const role of below) {
        const hasScope = Role.scopes(role).includes(scopeOf(operation));
        const missing = hasScope
          ? `the role ${operation['x-required-role']}`
          : `the scope ${scopeOf(operation)}.`;
        expectForbidden(await (await shop.role(role))(request), missing);
      }
      for (const role of above) {
        const response = await (await shop.role(role))(request);
        expect(isPermitted(response), `${role} ${response.text}`).to.equal(true);
      }
    },
  },
  {
    title: 'responds 403 before it reads id, query and body',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const send = await shop.without(scopeOf(operation));
      const { method, path, requestBody } = operation;
      const address = withQuery(path.replaceAll(/\{\w+\}/g, 'no-id'), 'no_such_parameter=1');
      const response = await send({ method, address, ...(requestBody && { body: '{' }) });
      expectForbidden(response, 'the scope');
    },
  },
];
