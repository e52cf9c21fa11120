import { join } from 'node:path';
import { expect } from 'chai';
import type { ApiResponse } from '../../http/support/client.ts';
import { outsideProject, root } from '../support/outside.ts';
import { startServer } from '../support/server.ts';

/** @param portico the module of `portico/application`, and that of `portico/domain` */
const rules = (...[application, domain]: readonly [string, string]): string => `
import { command, ConcurrencyConflict, type Decorate } from '${application}';
import { conflictOn, invalidField } from '${domain}';

export const apiVersion = 0;

let attempts = 0;

export const decorate: Decorate = (useCases) => ({
  ...useCases,
  products: {
    ...useCases.products,
    create: command('products:write', useCases.products.create.errorKinds, (caller, input) => {
      if (input.name === 'Wrong') throw invalidField('name', 'is wrong');
      return async (repositories) => {
        if (input.name === 'Taken') throw conflictOn('name');
        attempts += 1;
        if (input.name === 'Contended' && attempts < 3) throw new ConcurrencyConflict('Another was first.');
        return useCases.products.create(caller, { ...input, description: String(attempts) })(repositories);
      };
    }),
  },
});
`;

const ownStore = `
import { openMemory } from 'portico/adapters/memory';

export const apiVersion = 0;
export const openStore = openMemory;
`;

describe('Two copies of Portico in one process', function () {
  // It starts four processes, and the machine may be busy.
  this.timeout(240_000);
  const { place, write } = outsideProject({ hasCopy: true });
  before(() => {
    write('store.ts', ownStore);
    write('rules.ts', rules('portico/application', 'portico/domain'));
    write('rules-here.ts', rules(join(root, 'application/index.ts'), join(root, 'domain/index.ts')));
  });

  it('respond with 409 and 422, and run work again after a conflict', async () => {
    for (const [what, settings] of [
      ['a store of the other copy', { PERSISTENCE_ADAPTER: './store.ts', USE_CASES: './rules-here.ts' }],
      ['rules of the other copy, on SQLite', { DATABASE_URL: 'sqlite::memory:', USE_CASES: './rules.ts' }],
      ['rules of the other copy, in memory', { DATABASE_URL: 'memory:', USE_CASES: './rules.ts' }],
      ['a store and rules of the other copy', { PERSISTENCE_ADAPTER: './store.ts', USE_CASES: './rules.ts' }],
    ] as const) {
      const { client, program } = await startServer(settings, { folder: place() });
      try {
        const create = (name: string, sku: string) =>
          client.post('/v1/products', { name, sku, price: { amount: 1, currency: 'EUR' } });
        const codeOf = ({ status, body }: ApiResponse) => [status, body.error.code];
        const contended = await create('Contended', 'a');
        expect([contended.status, contended.body.data.description], what).to.deep.equal([201, '3']);
        expect(codeOf(await create('Tea', 'a'))).to.deep.equal([409, 'CONFLICT']);
        expect(codeOf(await create('Taken', 'b'))).to.deep.equal([409, 'CONFLICT']);
        const wrong = await fetch(`${client.base}/v1/products`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${client.token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'Wrong', price: { amount: 1, currency: 'EUR' } }),
        });
        expect(wrong.status).to.equal(422);
        const id = contended.body.data.id;
        const stale = await client.patch(`/v1/products/${id}`, { name: 'Cup' }, { 'If-Match': '"7"' });
        expect(stale.status).to.equal(412);
        expect(program.errors).to.not.include('"level":50');
      } finally {
        await program.kill();
      }
    }
  });
});
