import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { atOnce, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';
import { postgresBehindNetwork } from './opened.ts';

describe('PostgreSQL behind a network', () => {
  const postgres = postgresBehindNetwork();

  const context = (milliseconds: number) => ({
    actor: aUser().id,
    deadline: performance.now() + milliseconds,
  });
  const add = (timeoutMs = 60_000, product = aProduct()) =>
    postgres.store.unitOfWork.run(({ products }) => products.add(product), context(timeoutMs));
  const list = (timeoutMs = 60_000) =>
    postgres.store.unitOfWork.read(({ products }) => products.page({}, { limit: 1 }), context(timeoutMs));
  const works = () =>
    add(1_000).then(
      () => true,
      () => false,
    );

  /** Twice as many as there are connections; half of them read. */
  const requestAll = (timeoutMs: number) =>
    atOnce<unknown>(20, (index) => (index % 2 ? add(timeoutMs) : list(timeoutMs)));

  /** In the order in which they end. */
  const endedAmong = (requests: readonly Promise<unknown>[]): unknown[] => {
    const ended: unknown[] = [];
    for (const request of requests) void rejectionOf(request).then((rejection) => ended.push(rejection));
    return ended;
  };

  it('that drops every packet makes reads fail at their deadline and commits a moment later, and recovers', async () => {
    await Promise.all(requestAll(60_000));
    postgres.network.swallow();
    const time = new SimulatedTime();
    try {
      const ended = endedAmong(requestAll(500));
      await time.pass(490);
      expect(ended).to.have.lengthOf(0);
      await time.pass(20);
      expect(ended).to.have.lengthOf.at.least(10);
      await time.pass(250);
      expect(ended).to.have.lengthOf(20);
      ended.forEach(unavailable);
      // Connections that are suspect are closed meanwhile.
      await time.pass(10_000);
    } finally {
      time.end();
    }
    await postgres.network.pass();
    await until(works, (does) => does);
    await Promise.all(requestAll(60_000));
  });

  it('that drops every packet lets the store close within a second', async () => {
    await Promise.all(requestAll(60_000));
    postgres.network.swallow();
    const ended = endedAmong(requestAll(60_000));
    const time = new SimulatedTime();
    try {
      let isClosed = false;
      const closing = postgres.store.close().then(() => {
        isClosed = true;
      });
      await time.pass(990);
      expect(isClosed).to.equal(false);
      await time.pass(20);
      await closing;
    } finally {
      time.end();
    }
    await until(
      async () => ended.length,
      (count) => count === 20,
    );
    ended.forEach(unavailable);
    postgres.store = await openPostgres({ url: postgres.database.url });
  });

  it('that has forgotten a connection is reached over another one', async () => {
    // With this timeout the search for dead connections closes none.
    const sole = await openPostgres({
      url: postgres.network.through(postgres.database.url),
      poolSize: 1,
      timeout: 60_000,
    });
    const read = (timeoutMs: number) =>
      sole.unitOfWork.read(({ products }) => products.page({}, { limit: 1 }), context(timeoutMs));
    await read(60_000);
    postgres.network.swallow();
    await postgres.network.pass();
    unavailable(await rejectionOf(read(300)));
    const isBack = () =>
      read(1_000).then(
        () => true,
        () => false,
      );
    await until(isBack, (does) => does);
    await sole.close();
  });

  it('that drops a commit lets the deadline hold, and the commit never happens later', async () => {
    const product = aProduct();
    const rejection = await rejectionOf(
      postgres.store.unitOfWork.run(async ({ products }) => {
        await products.add(product);
        postgres.network.swallow();
      }, context(300)),
    );
    unavailable(rejection);
    await postgres.network.pass();
    await until(works, (does) => does);
    expect(await postgres.store.unitOfWork.read(({ products }) => products.find(product.id))).to.equal(
      undefined,
    );
  });

  it('that refuses connections makes the store unavailable at once, until it accepts them', async () => {
    await Promise.all(requestAll(60_000));
    await postgres.network.refuse();
    for (const rejection of await Promise.all(requestAll(60_000).map(rejectionOf))) unavailable(rejection);
    await postgres.network.pass();
    await until(works, (does) => does);
    await Promise.all(requestAll(60_000));
  });

  it('that resets connections fails the statements under way and none behind them', async () => {
    const [cut, behind] = [aProduct(), aProduct()];
    const rejection = await rejectionOf(
      postgres.store.unitOfWork.run(async ({ products }) => {
        await products.add(cut);
        postgres.network.reset();
        await products.add(behind);
      }, context(60_000)),
    );
    unavailable(rejection);
    await until(works, (does) => does);
    await Promise.all(requestAll(60_000));
    const kept = await postgres.store.unitOfWork.read(({ products }) => products.find(cut.id));
    expect(kept).to.equal(undefined);
  });

  it('that is slow changes nothing but the duration', async () => {
    await postgres.network.pass(20);
    await Promise.all(requestAll(60_000));
    const product = aProduct();
    await add(60_000, product);
    expect(await postgres.store.unitOfWork.read(({ products }) => products.find(product.id))).to.deep.equal(
      product,
    );
  });
});
