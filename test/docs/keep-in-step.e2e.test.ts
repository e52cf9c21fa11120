import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { orThrow, portico } from '#adapters/http/client/index.ts';
import { outsideProject } from '../bootstrap/support/outside.ts';
import { runHere } from '../bootstrap/support/portico.ts';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { Program } from '../lab/program.ts';
import { Random } from '../support/random.ts';
import { until } from '../support/until.ts';

const guide = readFileSync('docs/guides/keep-another-system-in-step.md', 'utf8');
const [, reader = ''] = /^```ts copy-orders\.ts\n(.*?)^```$/ms.exec(guide) ?? [];

const key = 'an-operator-key-that-is-long-enough-for-all';
const rounds = 6;

describe('A copy of all orders, as the guide makes it,', function () {
  this.timeout(300_000);
  const project = outsideProject();
  const random = new Random(11);
  let settings: Readonly<Record<string, string>>;
  let url: string;
  let server: Server | undefined;
  let follower: Program | undefined;

  before(async () => {
    const port = `${await freePort()}`;
    url = `http://127.0.0.1:${port}`;
    settings = { DATABASE_URL: `sqlite:${project.place('shop.db')}`, PORT: port };
    project.write('copy-orders.ts', reader);
  });
  after(async () => {
    await follower?.kill();
    await server?.program.kill();
  });

  const startReader = (): Program =>
    new Program(project.place('copy-orders.ts'), {
      environment: { COPY: project.place('copy.db'), PORTICO_URL: url, PORTICO_KEY: key },
    });

  const copied = (): readonly unknown[] => {
    // A connection that may write: the first one behind a killed writer rolls back what that has left.
    const copy = new DatabaseSync(project.place('copy.db'), { timeout: 5_000 });
    try {
      const isBegun = copy.prepare("select 1 from sqlite_master where name = 'orders'").get() !== undefined;
      if (!isBegun) return [];
      return copy
        .prepare('select data from orders order by id')
        .all()
        .map(({ data }) => JSON.parse(`${data}`));
    } finally {
      copy.close();
    }
  };

  /** Kills it at a random time. */
  const killSoon = async (program: Program | undefined): Promise<void> => {
    await pause(100 + random.below(1_000));
    await program?.kill();
  };

  /** As after a restore: the feed is another one, and the copy has an order that the shop has not. */
  const loseFeed = async (): Promise<void> => {
    const copy = new DatabaseSync(project.place('copy.db'), { timeout: 5_000 });
    copy.exec(`insert into orders values ('~', 1, '{"id": "an order that was lost"}')`);
    copy.close();
    expect((await runHere(['feed', 'renew'], settings)).code).to.equal(0);
  };

  it('equals the list after kills of both sides, and after the feed has become another', async () => {
    const shop = portico({ url, key, retryForMilliseconds: Number.POSITIVE_INFINITY });
    server = await startServer(settings);
    follower = startReader();
    let followerErrors = '';
    const body = { name: 'Tea', price: { amount: 1, currency: 'EUR' }, stock: 1_000_000 };
    const { data: product } = orThrow(await shop.send('POST /products', { body }));
    const stopped = new AbortController();
    const placeOrders = async (): Promise<number> => {
      let count = 0;
      for (; !stopped.signal.aborted; count += 1) {
        const order = orThrow(
          await shop.send('POST /orders', { body: { product_id: product.id, quantity: 1 } }),
        ).data;
        const change = { path: { order_id: order.id }, body: { status: 'canceled' } } as const;
        if (count % 2 === 0) orThrow(await shop.send('PATCH /orders/{order_id}', change));
      }
      return count;
    };
    const customers = Promise.all(Array.from({ length: 8 }, placeOrders));

    for (let round = 0; round < rounds; round += 1) {
      const isServer = random.below(2) === 0;
      const areBoth = random.below(3) === 0;
      const isRestored = round === rounds - 3;
      // A reader that has no place in the feed yet would not notice that it is another one.
      if (isRestored)
        await until(
          async () => copied().length,
          (count) => count > 0,
        );
      if (isServer || areBoth || isRestored) {
        await killSoon(server.program);
        if (isRestored) await loseFeed();
        server = await startServer(settings);
      }
      if (!isServer || areBoth) {
        await killSoon(follower);
        followerErrors += follower.errors;
        follower = startReader();
      }
    }
    stopped.abort();
    const placed = (await customers).reduce((sum, count) => sum + count);
    expect(placed).to.be.above(20);

    const listed: unknown[] = [];
    for await (const order of shop.each('GET /orders', { query: { limit: 100 } })) listed.push(order);
    expect(listed).to.have.length.of.at.least(placed);
    await until(
      async () => copied().length,
      (count) => count === listed.length,
      30_000,
    );
    await until(
      async () => JSON.stringify(copied()) === JSON.stringify(listed),
      (isEqual) => isEqual,
      10_000,
    ).catch(() => undefined);
    expect(copied()).to.deep.equal(listed);
    expect(followerErrors + follower.errors)
      .to.include('no longer kept')
      .and.not.include('    at ');
  });
});
