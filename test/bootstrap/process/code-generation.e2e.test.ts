import { expect } from 'chai';
import { euros } from '../../http/support/shop.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { startServer } from '../support/server.ts';

/**
 * SQLite is left out: better-sqlite3 itself compiles a function for the rows of each statement.
 * https://github.com/WiseLibs/better-sqlite3/blob/master/lib/database.js (`rowFactory`)
 */
describe('A server whose Node must not generate code from strings', () => {
  const listsAProduct = async (databaseUrl: string) => {
    const flags = ['--disallow-code-generation-from-strings'];
    const { program, client } = await startServer({ DATABASE_URL: databaseUrl }, { flags });
    try {
      const created = await client.post('/v1/products', { name: 'Tea', price: euros(350), stock: 3 });
      expect(created.status).to.equal(201);
      const list = await client.get('/v1/products');
      expect(list.status).to.equal(200);
      expect(list.body.data).to.deep.equal([created.body.data]);
    } finally {
      await program.kill();
    }
    expect(program.errors).to.equal('');
  };

  it('creates and lists a product in memory', () => listsAProduct('memory:'));

  it('migrates PostgreSQL, creates a product there and lists it', async () => {
    const { url, drop } = await freshDatabase();
    await listsAProduct(url).finally(drop);
  });
});
