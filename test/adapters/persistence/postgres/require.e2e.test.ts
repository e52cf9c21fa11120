import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { Product } from '#domain/product.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser, noon } from '#test/contracts/samples.ts';
import { PostgresServer } from '#test/support/postgres-server.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';

describe('What PostgreSQL checks before a commit (portico_require)', () => {
  let server: PostgresServer;
  let client: Client;
  let store: Store;
  before(async () => {
    server = await PostgresServer.make(['logging_collector=on', 'log_error_verbosity=verbose']);
    await server.start();
    store = await openPostgres({ url: server.url });
    client = new Client({ connectionString: server.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await store.close();
    await server.remove();
  });
  afterEach(() => client.query('drop function if exists act cascade; drop sequence if exists tries'));

  /** The first update of a product does this instead. */
  const insteadOfFirstUpdate = (act: string) =>
    client.query(`
      create sequence tries;
      create function act() returns trigger language plpgsql as $$
        begin if nextval('tries') = 1 then ${act}; end if; return new; end
      $$;
      create trigger act before update on products for each row execute function act()`);

  const log = async (): Promise<string> =>
    (await client.query<{ log: string }>('select pg_read_file(pg_current_logfile()) as log')).rows[0]?.log ??
    '';

  const logs = (line: string) => until(log, (text) => text.includes(line));

  const add = async (): Promise<Product> => {
    const product = aProduct();
    await store.unitOfWork.run(({ products }) => products.add(product));
    return product;
  };

  const find = (id: Product['id'], where = store) =>
    where.unitOfWork.read(({ products }) => products.find(id));

  /** @param milliseconds until the deadline */
  const rename = (id: Product['id'], milliseconds: number, where = store): Promise<number> => {
    let runs = 0;
    const context = { actor: aUser().id, deadline: performance.now() + milliseconds };
    return where.unitOfWork.run(async ({ products }) => {
      runs += 1;
      const product = await products.lock(id);
      if (product === undefined) throw new TypeError('There is no such product.');
      await products.save(Product.change(product, { name: 'Cocoa' }, noon));
      return runs;
    }, context);
  };

  it('runs a unit of work again whose row has changed, and says so in the log in plain words', async () => {
    const { id } = await add();
    await insteadOfFirstUpdate('return null');
    expect(await rename(id, 5_000)).to.equal(2);
    expect(await find(id)).to.include({ name: 'Cocoa', version: 2 });
    await logs('ERROR:  ZP001: Portico: the row has changed');
    expect(await log()).to.not.match(/division by zero/i);
  });

  it('keeps nothing when the deadline has passed before the commit, and says so in the log', async () => {
    const product = await add();
    await insteadOfFirstUpdate('perform pg_sleep(1.1)');
    unavailable(await rejectionOf(rename(product.id, 1_000)));
    expect(await find(product.id)).to.deep.equal(product);
    await logs('ERROR:  ZP002: Portico: the deadline has passed');
    expect(await log()).to.not.match(/division by zero/i);
  });

  it('raises any code it is given, takes null for unmet, and lets what is met pass', async () => {
    const raised = async (text: string) =>
      client.query(`select portico_require(${text})`).then(
        () => 'nothing',
        ({ code, message }) => `${code}: ${message}`,
      );
    expect(await raised("true, 'ZP001'")).to.equal('nothing');
    expect(await raised("false, 'ZP001'")).to.equal('ZP001: Portico: the row has changed');
    expect(await raised("null, 'ZP002'")).to.equal('ZP002: Portico: the deadline has passed');
    expect(await raised("false, 'ZP003'")).to.equal('ZP003: Portico: a condition is not met');
  });

  it('may be called by a role that has rights to rows only', async () => {
    const { id } = await add();
    await client.query('create role clerk login');
    await client.query('grant select, insert, update, delete on all tables in schema public to clerk');
    const url = new URL(server.url);
    url.username = 'clerk';
    const own = await openPostgres({ url: url.href });
    expect(await rename(id, 5_000, own)).to.equal(1);
    expect(await find(id, own)).to.include({ name: 'Cocoa' });
    await own.close();
  });
});
