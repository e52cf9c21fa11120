import { expect } from 'chai';
import { mariadbKind } from '#adapters/persistence/mariadb/kind.ts';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { mariadbMigrations } from '#adapters/persistence/schema/migrations/mariadb/all.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { retryUntilReady } from '#bootstrap/composition/listeners/retry-until-ready.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { describeEvents, describeFeeds } from '#test/contracts/events.ts';
import { describeFeedOrder } from '#test/contracts/feed-order.ts';
import { atOnce, existing, rejectionOf } from '#test/contracts/harness.ts';
import { describeProcesses } from '#test/contracts/processes.ts';
import { aProduct, aUser, later } from '#test/contracts/samples.ts';
import { GaleraCluster, galeraIsMissing } from '#test/support/galera.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';
import { describeUnitsOverNodes } from './galera-units.ts';

const describeGalera = galeraIsMissing === undefined ? describe : describe.skip;
const reason = galeraIsMissing === undefined ? '' : `: ${galeraIsMissing}`;

describeGalera(`A Galera cluster of three nodes${reason}`, function () {
  this.timeout(240_000);
  let cluster: GaleraCluster;
  let stores: readonly Store[];
  const databases = { count: 0 };

  const freshName = async (): Promise<string> => {
    databases.count += 1;
    const name = `portico_${databases.count}`;
    await cluster.createDatabase(name);
    return name;
  };

  before(async () => {
    cluster = await GaleraCluster.start();
    const name = await freshName();
    stores = await Promise.all([0, 1, 2].map((index) => openMariaDb({ url: cluster.url(index, name) })));
  });
  after(async () => {
    await Promise.all((stores ?? []).map((store) => store.close()));
    await cluster?.remove();
  });

  const overTwoNodes = async () => {
    const name = await freshName();
    const store = await openMariaDb({ url: cluster.url(0, name) });
    return { ...store, openAnother: () => openMariaDb({ url: cluster.url(1, name) }) };
  };
  for (const describeSuite of [describeProcesses, describeEvents, describeFeeds, describeFeedOrder])
    describeSuite('Galera, over two nodes', overTwoNodes);

  const node = (index: number): Store => existing(stores[index % 3]);
  const add = async (product = aProduct({ stock: Quantity.zero })): Promise<Product> => {
    await node(0).unitOfWork.run(({ products }) => products.add(product));
    return product;
  };
  const countUp = (on: Store, id: Product['id']) =>
    on.unitOfWork.run(async ({ products }) => {
      const held = existing(await products.lock(id));
      await products.save(Product.release(held, Quantity.of(1), later(1)));
    });

  /** Runs work again until it succeeds. */
  const succeeds = async <T>(work: () => Promise<T>): Promise<T> => {
    const outcome = await until(
      () =>
        work().then(
          (result) => ({ result }),
          () => undefined,
        ),
      (done) => done !== undefined,
      30_000,
    );
    return existing(outcome).result;
  };

  it('is migrated once by two first starts on two nodes', async () => {
    const name = await freshName();
    const opened = await Promise.all([0, 1].map((index) => openMariaDb({ url: cluster.url(index, name) })));
    expect(opened.filter(({ isNew }) => isNew)).to.have.lengthOf(1);
    const applied = mariadbMigrations.map((one) => one.name);
    for (const { schema } of opened) {
      expect(await schema()).to.deep.equal({ applied, pending: [], unknown: [] });
    }
    await Promise.all(opened.map((store) => store.close()));
  });

  it('shows on each node at once what another has committed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const product = await add();
      for (const index of [1, 2]) {
        const found = await node(index).unitOfWork.read(({ products }) => products.find(product.id));
        expect(found).to.deep.equal(product);
      }
    }
  });

  it('loses no update when units of work on three nodes change one row, although a lock binds one node', async () => {
    const { id } = await add();
    await Promise.all(atOnce(30, (index) => countUp(node(index), id)));
    const found = await node(1).unitOfWork.read(({ products }) => products.find(id));
    expect(found).to.include({ stock: Quantity.of(30), version: 31 });
  });

  describeUnitsOverNodes(() => stores);

  it('grants a quota once, whichever node is asked', async () => {
    const quotas = stores.map((store) => existing(store.quotas?.({ limit: 30, windowMilliseconds: 60_000 })));
    const key = aUser().id;
    const states = await Promise.all(
      atOnce(
        60,
        async (index) => (await existing(quotas[index % 3]).lease([{ key, count: 1 }]))[0]?.granted ?? 0,
      ),
    );
    expect(states.reduce((sum, granted) => sum + granted, 0)).to.equal(30);
  });

  it('goes on when a node is killed, which joins again and has everything', async () => {
    const { id } = await add();
    await cluster.kill(2);
    unavailable(await rejectionOf(countUp(node(2), id)));
    await Promise.all(atOnce(10, (index) => countUp(node(index % 2), id)));
    await cluster.rejoin(2);
    const found = await succeeds(() => node(2).unitOfWork.read(({ products }) => products.find(id)));
    expect(found).to.include({ stock: Quantity.of(10) });
  });

  it('goes on without a node that is frozen, which then catches up', async () => {
    const { id } = await add();
    await cluster.freeze(2);
    await succeeds(() => countUp(node(0), id));
    await cluster.unfreeze(2);
    const found = await node(1).unitOfWork.read(({ products }) => products.find(id));
    await succeeds(async () => {
      expect(await node(2).unitOfWork.read(({ products }) => products.find(id))).to.deep.equal(found);
    });
  });

  it('has everything that it has acknowledged after all nodes were killed at once', async () => {
    const { id } = await add();
    let acknowledged = 0;
    let isOver = false;
    const counting = [0, 1, 2].map(async (index) => {
      while (!isOver)
        await countUp(node(index), id).then(
          () => {
            acknowledged += 1;
          },
          () => undefined,
        );
    });
    await until(
      async () => acknowledged,
      (count) => count > 50,
    );
    await cluster.killAll();
    isOver = true;
    await Promise.all(counting);
    await cluster.bootstrap();
    const stock = await succeeds(
      async () => existing(await node(0).unitOfWork.read(({ products }) => products.find(id))).stock,
    );
    // The outcome of three at most was unknown.
    expect(stock).to.be.within(Quantity.of(acknowledged), Quantity.of(acknowledged + 3));
  });

  it('is unavailable without a majority, which a start waits for, and commits again with one', async () => {
    const { id } = await add();
    await Promise.all([cluster.kill(1), cluster.kill(2)]);
    await until(
      () =>
        rejectionOf(node(0).unitOfWork.read(({ products }) => products.find(id)))
          .then(unavailable)
          .then(
            () => true,
            () => false,
          ),
      (isUnavailable) => isUnavailable,
      15_000,
    );
    unavailable(await rejectionOf(countUp(node(0), id)));
    const reasons: string[] = [];
    const start = (timeoutMs?: number) =>
      retryUntilReady(
        mariadbKind,
        (reason) => reasons.push(reason),
        timeoutMs,
      )(() => openMariaDb({ url: cluster.url(0, 'portico_1') }));
    unavailable(await rejectionOf(start(1_000)));
    const started = start();
    await until(
      async () => reasons,
      ({ length }) => length === 2,
    );
    await cluster.query(0, "set global wsrep_provider_options = 'pc.bootstrap=YES'");
    await (await started).close();
    expect(new Set(reasons)).to.deep.equal(new Set(['Its node is joining the cluster, or has lost it.']));
    await cluster.rejoin(1);
    await cluster.rejoin(2);
    await succeeds(() => countUp(node(0), id));
    const found = await node(1).unitOfWork.read(({ products }) => products.find(id));
    expect(found?.version).to.be.at.least(2);
  });
});
