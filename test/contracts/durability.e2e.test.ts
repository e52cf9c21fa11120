import { expect } from 'chai';
import { allKinds, createMigrated, isKept, productOf } from '../support/test-databases.ts';
import { describeCommits } from './commits.ts';
import { describeDurability } from './durability.ts';
import { expectRejection } from './failures.ts';
import { describeFeedOrder } from './feed-order.ts';
import { rejectionOf } from './harness.ts';
import { openInProcess } from './other-process/open.ts';
import { openStore } from './other-process/own-stores.ts';
import { describeProcesses } from './processes.ts';
import { suitesFor } from './store-kit.ts';
import { describeTransfers } from './transfers.ts';

const own = import.meta.resolve('./other-process/own-stores.ts');
const forgetful = import.meta.resolve('./wrong/forgetful-store.ts');

for (const kind of allKinds.filter(isKept)) {
  const product = productOf(kind);
  const open = async () => {
    const { url, remove } = await createMigrated(kind);
    return { isKept: { module: own, url }, close: remove };
  };
  describeDurability(product, open);

  const openShared = async () => {
    const { isKept: kept, close } = await open();
    const store = await openStore(kept);
    return {
      ...store,
      openAnother: () => openInProcess(kept),
      close: async () => {
        await store.close();
        await close();
      },
    };
  };
  for (const suite of [describeCommits, describeProcesses, describeTransfers, describeFeedOrder])
    suite(`${product}, and another process`, openShared);
}

describe('The contract suite of durability', () => {
  it('rejects a store that writes nothing', () =>
    expectRejection(
      (runner) =>
        describeDurability(
          'wrong',
          async () => ({ isKept: { module: forgetful, url: '' }, close: async () => undefined }),
          runner,
        ),
      [
        'is there after that process was killed (SIGKILL)',
        'is there after its store was closed',
        'is there as far as it was acknowledged, although others were under way when it was killed',
      ],
    ));

  it('says which module cannot be opened', async () => {
    const opening = openInProcess({ module: import.meta.resolve('./promises.ts'), url: '' });
    expect(String(await rejectionOf(opening))).to.match(/promises\.ts exports no openStore/);
  });

  it('is among those of a store that says that it is kept', async () => {
    const open = async () => ({
      ...(await openStore({ url: 'sqlite::memory:' })),
      isKept: { module: own, url: 'sqlite::memory:' },
    });
    expect((await suitesFor(open)).untested).to.not.include('isKept');
  });
});
