import { expect } from 'chai';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import { Quantity } from '#domain/quantity.ts';
import { describeEvents, describeFeeds } from '#test/contracts/events.ts';
import { describeFeedOrder } from '#test/contracts/feed-order.ts';
import { atOnce, existing } from '#test/contracts/harness.ts';
import { describeProcesses } from '#test/contracts/processes.ts';
import { aUser } from '#test/contracts/samples.ts';
import { describeGalera } from './galera-nodes.ts';
import { describeUnitsOverNodes } from './galera-units.ts';

describeGalera('A Galera cluster of three nodes', (nodes) => {
  const { freshName, node, add, countUp } = nodes;

  const overTwoNodes = async () => {
    const name = await freshName();
    const store = await openMariaDb({ url: nodes.cluster.url(0, name) });
    return { ...store, openAnother: () => openMariaDb({ url: nodes.cluster.url(1, name) }) };
  };
  for (const describeSuite of [describeProcesses, describeEvents, describeFeeds, describeFeedOrder])
    describeSuite('Galera, over two nodes', overTwoNodes);

  it('is migrated once by two first starts on two nodes', async () => {
    const name = await freshName();
    const opened = await Promise.all(
      [0, 1].map((index) => openMariaDb({ url: nodes.cluster.url(index, name) })),
    );
    expect(opened.filter(({ isNew }) => isNew)).to.have.lengthOf(1);
    const applied = migrationsOf('mariadb').map((one) => one.name);
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

  describeUnitsOverNodes(() => nodes.stores);

  it('grants a quota once, whichever node is asked', async () => {
    const quotas = nodes.stores.map((store) =>
      existing(store.quotas?.({ limit: 30, windowMilliseconds: 60_000 })),
    );
    const key = aUser().id;
    const states = await Promise.all(
      atOnce(
        60,
        async (index) => (await existing(quotas[index % 3]).lease([{ key, count: 1 }]))[0]?.granted ?? 0,
      ),
    );
    expect(states.reduce((sum, granted) => sum + granted, 0)).to.equal(30);
  });
});
