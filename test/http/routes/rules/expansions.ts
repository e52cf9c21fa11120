import { expect } from 'chai';
import { maxExpandedPageSize } from '#adapters/http/routing/expansions.ts';
import { expectProblem } from '../../support/protocol.ts';
import { contentOf, type Declared } from '../table.ts';
import { expectFields, type Rule, withQuery } from './rule.ts';

const namesOf = ({ route }: Declared): readonly string[] => route.expansions?.names ?? [];

const canExpand = (operation: Declared): boolean => namesOf(operation).length > 0;

/** What every route with the parameter `expand` has in common. */
export const expansionRules: readonly Rule[] = [
  {
    title: 'holds what expand asks for beside each resource, and has no ETag then and is never 304',
    isFor: canExpand,
    check: async (shop, operation) => {
      const names = namesOf(operation);
      for (const expand of [...names, names.toReversed().join()]) {
        const request = await shop.samples.request(operation);
        const address = withQuery(request.address, `expand=${expand}`);
        const headers = { ...request.headers, ...(operation.method === 'GET' && { 'If-None-Match': '*' }) };
        const response = await shop.admin({ ...request, address, headers });
        expect(response.status, response.text).to.equal(operation.route.responder.status);
        expect(response.headers.has('ETag')).to.equal(false);
        const { data, pagination } = response.body;
        for (const one of contentOf(operation) === 'page' ? data : [data]) {
          const held = Object.keys(one.expanded).filter((name) => !name.endsWith('_has_more'));
          expect(held).to.have.members(expand.split(','));
        }
        if (pagination) expect(pagination.limit).to.equal(maxExpandedPageSize);
      }
    },
  },
  {
    title: 'responds 422 to an unknown or repeated name in expand',
    isFor: canExpand,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      const [name] = namesOf(operation);
      for (const expand of ['', 'no_such_name', `${name},${name}`, `${name},`, `${name} `, `${name}.id`]) {
        const address = withQuery(request.address, `expand=${encodeURIComponent(expand)}`);
        expectFields(await shop.admin({ ...request, address }), 'expand');
      }
    },
  },
  {
    title: 'responds 403 without the scope of what expand asks for, and names it',
    isFor: canExpand,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      for (const name of namesOf(operation)) {
        const scope = operation.route.expansions?.all[name]?.expansion.permission?.scope;
        if (scope === undefined) continue;
        const address = withQuery(request.address, `expand=${name}`);
        const response = await (await shop.without(scope))({ ...request, address });
        expectProblem(response, '403 FORBIDDEN');
        expect(response.body.error.message).to.include(`the scope ${scope}.`);
      }
    },
  },
];
