import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { createApplication } from '#application/application.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { EventId } from '#domain/event-id.ts';
import { Instant } from '#domain/instant.ts';
import { Quantity } from '#domain/quantity.ts';
import { times } from '#test/application/fixture.ts';
import { scriptedProvider } from '#test/application/provider.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';

/** The exchanges that decision 18 draws. */
describe('Exchanges with PostgreSQL', () => {
  let database: Database;
  let store: Store;
  const { query } = Client.prototype;
  let sent: string[][] = [];

  before(async () => {
    database = await freshDatabase();
    store = await openPostgres({ url: database.url });
    // Tracers of the driver put a function of their own here, too. The set-up of a connection is none of its exchanges.
    Client.prototype.query = function record(this: Client, ...args: [string | { readonly text: string }]) {
      const text = typeof args[0] === 'string' ? args[0] : args[0].text;
      if (!text.includes('behind_pooler')) sent.push(text.split(';\n').map(summaryOf));
      return (query as (...all: unknown[]) => unknown).apply(this, args);
    } as typeof query;
  });
  after(async () => {
    Client.prototype.query = query;
    await store.close();
    await database.drop();
  });

  const shop = async (stock: Quantity | null) => {
    const user = aUser();
    const product = aProduct({ stock });
    await store.unitOfWork.run(async ({ users, products }) => {
      await users.add(user);
      await products.add(product);
    });
    const { idempotency, useCases } = createApplication(
      {
        unitOfWork: store.unitOfWork,
        clock: { now: () => Instant.at(Date.now()) },
        newId: <I extends string>() => randomUUID() as I,
        mintToken: () => ({ token: '', secretHash: '' }),
        provider: scriptedProvider().port,
      },
      times,
    );
    const keyId = randomUUID() as ApiKeyId;
    const caller = { userId: user.id, role: user.role, scopes: Role.scopes(user.role), keyId };
    const request = (key: string) => ({ userId: user.id, role: user.role, key, fingerprint: key });
    const context = { actor: user.id, deadline: performance.now() + 60_000 };
    const place = async (key: string) => {
      const work = useCases.orders.place(caller, { productId: product.id, quantity: Quantity.of(1) });
      const ended = await idempotency.command(request(key), work, () => 'placed', context);
      return 'outcome' in ended && 'done' in ended.outcome ? ended.outcome.done.id : undefined;
    };
    const pay = async (key: string) => {
      const orderId = await place(`order for ${key}`);
      if (orderId === undefined) throw new Error('No order was placed.');
      sent = [];
      const work = useCases.payments.pay(caller, { orderId, paymentMethod: 'a card' });
      await idempotency.process(request(key), work, () => 'paid', context);
    };
    sent = [];
    return { place, pay };
  };

  const lookUpKey = ['select idempotency_keys'];
  const inserts = ['insert orders', 'insert order_items', 'insert idempotency_keys', 'insert event_queue'];

  it('are three for an order', async () => {
    const { place } = await shop(null);
    await place('a key');
    // The second and the third are sent at once, over two connections.
    expect(sent).to.deep.equal([
      lookUpKey,
      ['select products'],
      ['select users'],
      ['begin', 'limit lock wait', ...inserts, 'require time', 'commit'],
    ]);
  });

  it('are four for an order of a counted product, which is locked', async () => {
    const { place } = await shop(Quantity.of(10));
    await place('a key');
    expect(sent).to.deep.equal([
      lookUpKey,
      ['select products'],
      ['select users'],
      ['begin', 'lock products'],
      ['update products', ...inserts, 'require time', 'commit'],
    ]);
  });

  it('are one for a replay', async () => {
    const { place } = await shop(null);
    await place('a key');
    sent = [];
    await place('a key');
    expect(sent).to.deep.equal([lookUpKey]);
  });

  it('are three for the claim of a payment, and three for its settlement', async () => {
    const { pay } = await shop(null);
    await pay('a key');
    expect(sent).to.deep.equal([
      lookUpKey,
      ['begin', 'lock orders', 'select users'],
      ['update orders', 'insert payments', 'insert idempotency_keys', 'require time', 'commit'],
      ['begin', 'lock idempotency_keys'],
      ['lock payments', 'lock orders'],
      ['update payments', 'update orders', 'update idempotency_keys', 'insert event_queue', 'commit'],
    ]);
  });

  it('are one for several events that webhooks need at once', async () => {
    sent = [];
    const find = (id: EventId) => store.unitOfWork.read(({ events }) => events.find(id));
    await Promise.all(
      [1, 2, 3].map((sequence) => find(EventId.of(EventId.prefix(0, randomUUID()), sequence))),
    );
    expect(sent).to.have.length(1);
    expect(sent.flat().join()).to.match(/events/);
  });

  it('end with a rollback when nothing has changed', async () => {
    await shop(null);
    await store.unitOfWork.run(async ({ products }) => {
      await products.lock(aProduct().id);
    });
    expect(sent).to.deep.equal([['begin', 'lock products'], ['rollback']]);
  });
});

/** What a statement does, and to which table. */
const summaryOf = (text: string): string => {
  if (text.startsWith('select portico_require(clock_timestamp()')) return 'require time';
  if (text.startsWith("select set_config('lock_timeout'")) return 'limit lock wait';
  const [, verb, table] = /(insert into|update|delete from|select .* from) "(\w+)"/.exec(text) ?? [];
  if (verb === undefined) return text.split(' ', 1).join();
  const word = text.endsWith('for no key update') ? 'lock' : verb.split(' ', 1).join();
  return `${word} ${table}`;
};
