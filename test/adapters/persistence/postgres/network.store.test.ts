import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { atOnce, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import { Network } from '#test/support/network.ts';
import { type Database, migratedDatabase } from '#test/support/postgres.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';

describe('PostgreSQL behind a network', () => {
  let database: Database;
  let network: Network;
  let store: Store;
  beforeEach(async () => {
    database = await migratedDatabase();
    network = await Network.to(database.url);
    store = await openPostgres({ url: network.through(database.url) });
  });
  afterEach(async () => {
    await store.close();
    await network.close();
    await database.drop();
  });

  const context = (milliseconds: number) => ({
    actor: aUser().id,
    deadline: performance.now() + milliseconds,
  });
  const add = (timeoutMs = 60_000, product = aProduct()) =>
    store.unitOfWork.run(({ products }) => products.add(product), context(timeoutMs));
  const list = (timeoutMs = 60_000) =>
    store.unitOfWork.read(({ products }) => products.page({}, { limit: 1 }), context(timeoutMs));
  const works = () =>
    add(1_000).then(
      () => true,
      () => false,
    );

  /** Twice as many as there are connections; half of them read. */
  const requestAll = (timeoutMs: number) =>
    atOnce<unknown>(20, (index) => (index % 2 ? add(timeoutMs) : list(timeoutMs)));

  /** Late by no more than timers are on a busy machine. */
  const expectInTime = async (requests: readonly Promise<unknown>[], timeoutMs: number, begun: number) => {
    for (const rejection of await Promise.all(requests.map(rejectionOf))) unavailable(rejection);
    expect(performance.now() - begun).to.be.below(timeoutMs + 1_000);
  };

  it('that drops every packet makes requests fail by their deadline, and the store recovers with it', async () => {
    await Promise.all(requestAll(60_000));
    network.swallow();
    const begun = performance.now();
    await expectInTime(requestAll(500), 500, begun);
    const again = performance.now();
    await expectInTime(requestAll(500), 500, again);
    await network.pass();
    const back = performance.now();
    await until(works, (does) => does);
    await Promise.all(requestAll(5_000));
    expect(performance.now() - back).to.be.below(6_000);
  });

  it('that drops every packet lets the store close', async () => {
    await Promise.all(requestAll(60_000));
    network.swallow();
    const waiting = requestAll(60_000).map(rejectionOf);
    const begun = performance.now();
    await store.close();
    expect(performance.now() - begun).to.be.below(3_000);
    for (const rejection of await Promise.all(waiting)) unavailable(rejection);
    store = await openPostgres({ url: database.url });
  });

  it('that drops a commit lets the deadline hold, and the commit never happens later', async () => {
    const product = aProduct();
    const rejection = await rejectionOf(
      store.unitOfWork.run(async ({ products }) => {
        await products.add(product);
        network.swallow();
      }, context(300)),
    );
    unavailable(rejection);
    await network.pass();
    await until(works, (does) => does);
    expect(await store.unitOfWork.read(({ products }) => products.find(product.id))).to.equal(undefined);
  });

  it('that refuses connections makes the store unavailable at once, until it accepts them', async () => {
    await Promise.all(requestAll(60_000));
    await network.refuse();
    const begun = performance.now();
    await expectInTime(requestAll(60_000), 1_000, begun);
    await network.pass();
    await until(works, (does) => does);
    await Promise.all(requestAll(60_000));
  });

  it('that resets connections fails the statements under way and none behind them', async () => {
    const [cut, behind] = [aProduct(), aProduct()];
    const rejection = await rejectionOf(
      store.unitOfWork.run(async ({ products }) => {
        await products.add(cut);
        network.reset();
        await products.add(behind);
      }, context(60_000)),
    );
    unavailable(rejection);
    await until(works, (does) => does);
    await Promise.all(requestAll(60_000));
    const kept = await store.unitOfWork.read(({ products }) => products.find(cut.id));
    expect(kept).to.equal(undefined);
  });

  it('that is slow changes nothing but the duration', async () => {
    await network.pass(20);
    await Promise.all(requestAll(60_000));
    const product = aProduct();
    await add(60_000, product);
    expect(await store.unitOfWork.read(({ products }) => products.find(product.id))).to.deep.equal(product);
  });
});
