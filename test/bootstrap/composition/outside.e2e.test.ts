import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Json } from '../../http/support/client.ts';
import { typeErrors } from '../../support/type-errors.ts';
import { outsideProject, root } from '../support/outside.ts';
import { ending, portico } from '../support/portico.ts';
import { leave, occupy, portOf } from '../support/ports.ts';
import { type Server, startServer } from '../support/server.ts';

const examples = readFileSync('docs/adapters.md', 'utf8').matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs);

/** Keeps everything in a file, which it writes when it closes. `DATABASE_URL` is the name of the file, after `mine:`. */
const fileStore = `
import { existsSync, readFileSync, writeFileSync, appendFileSync } from 'node:fs';
import type { CustomStore, Inspection } from 'portico/adapters/memory';
import { openMemory } from 'portico/adapters/memory';

export const apiVersion = 0;

const fileOf = (url: string): string => url.replace(/^mine:/, '');
const log = (what: string) => appendFileSync('events.txt', what + '\\n');

export const openStore = async ({ url }: { url: string }): Promise<CustomStore> => {
  log('open ' + url);
  const memory = await openMemory();
  const kept = existsSync(fileOf(url)) ? JSON.parse(readFileSync(fileOf(url), 'utf8')) : { products: [], users: [] };
  await memory.unitOfWork.run(async ({ products, users }) => {
    for (const user of kept.users) await users.add(user);
    for (const product of kept.products) await products.add({ ...product, stock: null });
  });
  const close = async () => {
    const rows = await memory.unitOfWork.read(async ({ products, users }) => ({
      products: (await products.page({}, { limit: 100 })).rows,
      users: (await users.page({}, { limit: 100 })).rows,
    }));
    writeFileSync(fileOf(url), JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value)));
    log('close');
  };
  return { ...memory, close };
};

export const inspectStore = async ({ url }: { url: string }): Promise<Inspection> => ({
  ...{ product: 'Mine 1.0', exists: existsSync(fileOf(url)) },
  ...{ applied: ['0001-mine'], pending: [], unknown: [], now: Date.now() },
});

export const backupStore = async ({ from, to }: { from: string; to: string }): Promise<number> => {
  const text = readFileSync(fileOf(from));
  writeFileSync(fileOf(to), text);
  return text.length;
};
`;

const tea = { name: 'Tea', sku: 'tea', price: { amount: 450, currency: 'EUR' } };

describe('Modules outside this repository', () => {
  // Each test starts processes, and the machine may be busy.
  const { place, write } = outsideProject();
  const servers: Server[] = [];
  before(() => {
    for (const [, name, text] of examples) write(name ?? '', text ?? '');
    write('file-store.ts', fileStore);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(({ program }) => program.kill()));
  });

  const serve = async (settings: Readonly<Record<string, string>>): Promise<Server> => {
    const server = await startServer(settings, { folder: place() });
    servers.push(server);
    return server;
  };

  const stop = async ({ program }: Server): Promise<void> => {
    program.signal('SIGTERM');
    expect(await program.ended()).to.equal(0);
  };

  const command = (words: string, settings: Readonly<Record<string, string>>) =>
    ending(portico(words.split(' '), { settings, folder: place() }));

  const events = (): string[] => readFileSync(place('events.txt'), 'utf8').trim().split('\n');

  it('keep what the API and commands write: a store', async () => {
    const settings = { PERSISTENCE_ADAPTER: './file-store.ts', DATABASE_URL: 'mine:shop.json' };
    write('events.txt', '');
    const first = await serve(settings);
    expect((await first.client.post('/v1/products', tea)).status).to.equal(201);
    const again = await first.client.post('/v1/products', tea);
    expect([again.status, again.body.error.code]).to.deep.equal([409, 'CONFLICT']);
    const wrong = await first.client.post('/v1/products', { ...tea, sku: '' });
    expect([wrong.status, wrong.body.error.code]).to.deep.equal([422, 'VALIDATION_ERROR']);
    await stop(first);
    expect(events()).to.deep.equal(['open mine:shop.json', 'close']);

    write('more.csv', 'sku,name,price_amount,price_currency\ncup,Cup,900,EUR\n');
    const imported = await command('import products more.csv', settings);
    expect(imported.output + imported.errors).to.include('Read 2 lines: 1 added');
    const doctor = await command('doctor', { ...settings, PORT: '0', OPS_PORT: '0' });
    expect(doctor.output).to.match(/^ok +database +Mine 1\.0 at file-store\.ts is reachable$/m);
    expect(doctor.output).to.match(/^ok +migrations +the tables are up to date$/m);
    expect(doctor.output).to.match(/^ok +module +PERSISTENCE_ADAPTER: file-store\.ts can be loaded$/m);
    expect((await command('migrate status', settings)).output).to.match(/^applied +0001-mine\n$/);
    expect((await command('backup copy.json', settings)).errors).to.match(/^Backed up .* to copy\.json/);

    const copy = { ...settings, DATABASE_URL: 'mine:restored.json' };
    const restored = await command('restore copy.json', copy);
    expect(restored.errors).to.match(/^Restored .* to file-store\.ts and verified it\.$/m);
    const { client } = await serve(copy);
    const { body } = await client.get('/v1/products');
    expect(body.data.map(({ sku }: { sku: string }) => sku)).to.have.members(['tea', 'cup']);
  });

  it('are closed after a start that failed', async () => {
    const taken = await occupy();
    write('events.txt', '');
    write(
      'failing.ts',
      "export const apiVersion = 0; export const openRateLimiter = () => { throw new Error('No limit.'); };",
    );
    const usual = { PERSISTENCE_ADAPTER: './file-store.ts', DATABASE_URL: 'mine:failed.json', OPS_PORT: '0' };
    try {
      const ports = await command('start', { ...usual, PORT: `${portOf(taken)}` });
      expect(ports.code).to.equal(1);
      expect(events()).to.deep.equal(['open mine:failed.json', 'close']);
      const limiter = await command('start', { ...usual, PORT: '0', RATE_LIMITER: './failing.ts' });
      expect(limiter.errors).to.equal(
        'portico: RATE_LIMITER names failing.ts, whose openRateLimiter failed: No limit.\n',
      );
      expect(events()).to.have.lengthOf(4).and.to.include('close');
    } finally {
      await leave(taken);
    }
  });

  it('stop the start before the store is opened, when one of them cannot be used', async () => {
    write('events.txt', '');
    write('old.ts', 'export const apiVersion = 1;');
    const settings = { PERSISTENCE_ADAPTER: './file-store.ts', DATABASE_URL: 'mine:unused.json' };
    for (const setting of ['PAYMENT_PROVIDER', 'AUTHENTICATOR', 'RATE_LIMITER', 'USE_CASES']) {
      const { code, output, errors } = await command('start', { ...settings, [setting]: './old.ts' });
      expect({ code, output }).to.deep.equal({ code: 1, output: '' });
      expect(errors).to.match(
        new RegExp(`^portico: ${setting} names old\\.ts, which must export apiVersion 0, not 1: [^\\n]+\\n$`),
      );
    }
    const doctor = await command('doctor', { ...settings, USE_CASES: './old.ts' });
    expect(doctor.code).to.equal(1);
    expect(doctor.output).to.match(/^fail +settings +USE_CASES names old\.ts/m);
    const keys = await command('keys list', { ...settings, USE_CASES: './old.ts' });
    expect(keys.errors).to.match(/^portico: USE_CASES names old\.ts/);
    expect(events()).to.deep.equal(['']);
  });

  it('serve as the examples of docs/adapters.md: a store, a provider and rules', async () => {
    const server = await serve({
      PERSISTENCE_ADAPTER: './my-store.ts',
      DATABASE_URL: 'any text: %zz',
      PAYMENT_PROVIDER: './my-provider.ts',
      USE_CASES: './my-rules.ts',
    });
    const { client, program } = server;
    expect(program.output).to.not.include('data/portico.db');
    const product = (await client.post('/v1/products', tea)).body.data.id;
    const order = (quantity: number) => client.post('/v1/orders', { product_id: product, quantity });
    // Without `client`, which rejects what the OpenAPI document does not know.
    const rejected = await fetch(`${client.base}/v1/orders`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${client.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ product_id: product, quantity: 3 }),
    });
    expect(rejected.status).to.equal(422);
    expect(((await rejected.json()) as Json).error.details).to.deep.equal([
      { field: 'quantity', message: 'must be at most 2' },
    ]);
    const placed = await order(2);
    expect(placed.status).to.equal(201);
    const pay = { order_id: placed.body.data.id, payment_method: 'tok_declined' };
    const paid = await client.post('/v1/payments', pay, { 'Idempotency-Key': 'a-key' });
    expect([paid.status, paid.body.data.status]).to.deep.equal([201, 'succeeded']);
    await stop(server);
    expect(program.errors).to.include('Closed any text: %zz.');
  });

  it('need not list migrations: a store', async () => {
    const settings = { PERSISTENCE_ADAPTER: './my-store.ts' };
    const status = await command('migrate status', settings);
    expect(status).to.deep.include({ code: 0, output: '' });
    expect(status.errors).to.match(/^The module in PERSISTENCE_ADAPTER exports no inspectStore/);
    expect((await command('migrate up', settings)).errors).to.equal('Closed .\nThe tables are up to date.\n');
    const backup = await command('backup copy.json', settings);
    expect(backup.errors).to.equal(
      'portico: PERSISTENCE_ADAPTER names my-store.ts, which exports no backupStore. Use the tools of its database.\n',
    );
  });

  it('have their types from the package: the examples of docs/adapters.md', async () => {
    const options =
      '--noEmit --strict --module nodenext --target esnext --allowImportingTsExtensions --erasableSyntaxOnly';
    const errors = await typeErrors(place(), [
      ...[...options.split(' '), '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')],
      ...['my-store.ts', 'my-provider.ts', 'my-rules.ts', 'file-store.ts'],
    ]);
    expect(errors).to.equal('');
  });

  it('decide who may call, and how often: an authenticator and a rate limiter from a package', async () => {
    const folder = 'node_modules/@shop/access';
    write(
      `${folder}/package.json`,
      '{ "type": "module", "exports": { "./who": { "import": "./who.js" }, "./limit": "./limit.js" } }',
    );
    write(
      `${folder}/who.js`,
      `export const apiVersion = 0;
      export const openAuthenticator = ({ unitOfWork }) => ({
        authenticate: async (token) => {
          if (token !== 'a-badge') return undefined;
          const { rows: [user] } = await unitOfWork.read(({ users }) => users.page({}, { limit: 1 }));
          return { userId: user.id, role: 'customer', scopes: ['products:read'], keyId: user.id };
        },
        close: async () => console.error('Closed the authenticator.'),
      });`,
    );
    write(
      `${folder}/limit.js`,
      `export const apiVersion = 0;
      export const openRateLimiter = async ({ limit, windowMs, now }) => {
        let count = 0;
        return {
          consume: async () => {
            count += 1;
            const remaining = Math.max(0, 3 - count);
            return { allowed: count <= 3, limit: 3, remaining, resetAt: now() + windowMs, wait: windowMs };
          },
          close: async () => console.error(\`Closed the limiter of \${limit}.\`),
        };
      };`,
    );
    const server = await serve({
      DATABASE_URL: 'memory:',
      AUTHENTICATOR: '@shop/access/who',
      RATE_LIMITER: '@shop/access/limit',
      RATE_LIMIT_MAX: '77',
    });
    const { client, program } = server;
    const as = (token: string) => client.get('/v1/products', { Authorization: `Bearer ${token}` });
    const statuses: number[] = [];
    for (const token of ['a-badge', 'another', client.token ?? '', 'a-badge', 'a-badge']) {
      statuses.push((await as(token)).status);
    }
    expect(statuses).to.deep.equal([200, 401, 200, 200, 429]);
    await stop(server);
    expect(program.errors)
      .to.include('Closed the authenticator.')
      .and.to.include('Closed the limiter of 77.');
  });

  it('must leave every use case in place: rules', async () => {
    const rules = async (name: string, decorate: string): Promise<string> => {
      write(name, `export const apiVersion = 0; export const decorate = ${decorate};`);
      return (await command('start', { DATABASE_URL: 'memory:', USE_CASES: `./${name}` })).errors;
    };
    expect(await rules('none.ts', '() => undefined')).to.match(
      /^portico: USE_CASES names none\.ts, whose decorate must return \w+\.\w+, a \w+\. /,
    );
    expect(
      await rules('less.ts', '(all) => ({ ...all, orders: { ...all.orders, place: undefined } })'),
    ).to.equal(
      'portico: USE_CASES names less.ts, whose decorate must return orders.place, a command. Wrap it with command(), and keep the others: { ...useCases.orders, place: … }.\n',
    );
    expect(
      await rules('plain.ts', '(all) => ({ ...all, orders: { ...all.orders, place: () => 1 } })'),
    ).to.include('orders.place, a command.');
    expect(await rules('throw.ts', "() => { throw new Error('No rules.'); }")).to.equal(
      'portico: USE_CASES names throw.ts, whose decorate failed: No rules.\n',
    );
  });

  it('do not hold for the demonstration shop, which is created before clients call: rules', async () => {
    write(
      'closed.ts',
      `import { command } from 'portico/application';
      import { DomainError } from 'portico/domain';
      export const apiVersion = 0;
      export const decorate = (all) => ({ ...all, orders: { ...all.orders, place: command('orders:write', ['out-of-stock'], () => {
        throw new DomainError('out-of-stock', 'The shop is closed.');
      }) } });`,
    );
    const { client, program } = await serve({
      DATABASE_URL: 'memory:',
      SEED_DEMO: '1',
      USE_CASES: './closed.ts',
    });
    await program.printed(/A demonstration shop has been created\./);
    const [product] = (await client.get('/v1/products')).body.data;
    const order = await client.post('/v1/orders', { product_id: product.id, quantity: 1 });
    expect([order.status, order.body.error.message]).to.deep.equal([409, 'The shop is closed.']);
  });
});
