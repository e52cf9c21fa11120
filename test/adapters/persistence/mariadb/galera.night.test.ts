import { expect } from 'chai';
import { mariadbKind } from '#adapters/persistence/mariadb/kind.ts';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { retryUntilReady } from '#bootstrap/composition/listeners/retry-until-ready.ts';
import { Quantity } from '#domain/quantity.ts';
import { atOnce, existing, rejectionOf } from '#test/contracts/harness.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';
import { describeGalera } from './galera-nodes.ts';

describeGalera('A Galera cluster of three nodes that fail', (nodes) => {
  const { node, add, countUp } = nodes;

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

  it('goes on when a node is killed, which joins again and has everything', async () => {
    const { id } = await add();
    await nodes.cluster.kill(2);
    unavailable(await rejectionOf(countUp(node(2), id)));
    await Promise.all(atOnce(10, (index) => countUp(node(index % 2), id)));
    await nodes.cluster.rejoin(2);
    const found = await succeeds(() => node(2).unitOfWork.read(({ products }) => products.find(id)));
    expect(found).to.include({ stock: Quantity.of(10) });
  });

  it('goes on without a node that is frozen, which then catches up', async () => {
    const { id } = await add();
    await nodes.cluster.freeze(2);
    await succeeds(() => countUp(node(0), id));
    await nodes.cluster.unfreeze(2);
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
    await nodes.cluster.killAll();
    isOver = true;
    await Promise.all(counting);
    await nodes.cluster.bootstrap();
    const stock = await succeeds(
      async () => existing(await node(0).unitOfWork.read(({ products }) => products.find(id))).stock,
    );
    // The outcome of three at most was unknown.
    expect(stock).to.be.within(Quantity.of(acknowledged), Quantity.of(acknowledged + 3));
  });

  it('is unavailable without a majority, which a start waits for, and commits again with one', async () => {
    const { id } = await add();
    await Promise.all([nodes.cluster.kill(1), nodes.cluster.kill(2)]);
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
      )(() => openMariaDb({ url: nodes.cluster.url(0, 'portico_1') }));
    unavailable(await rejectionOf(start(1_000)));
    const started = start();
    await until(
      async () => reasons,
      ({ length }) => length === 2,
    );
    await nodes.cluster.query(0, "set global wsrep_provider_options = 'pc.bootstrap=YES'");
    await (await started).close();
    expect(new Set(reasons)).to.deep.equal(new Set(['Its node is joining the cluster, or has lost it.']));
    await nodes.cluster.rejoin(1);
    await nodes.cluster.rejoin(2);
    await succeeds(() => countUp(node(0), id));
    const found = await node(1).unitOfWork.read(({ products }) => products.find(id));
    expect(found?.version).to.be.at.least(2);
  });
});
