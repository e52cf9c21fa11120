import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { newId } from '../support/machine.ts';
import { until } from '../support/until.ts';
import { atOnce } from './harness.ts';

/** More than any store serves at once. */
const crowd = 40;

/** What `Store.wait` promises where there are turns to wait for. @param readersWait whether reads need one as well */
export const describeStoreWait = (adapter: string, open: () => Promise<Store>, readersWait: boolean) =>
  describe(`${adapter}: the wait for the store`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store.close());

    const waits = (): readonly number[] => [store.queueDelay('read'), store.queueDelay('change')];

    it('is nothing while nobody waits, whatever has been done before', async () => {
      expect(waits()).to.deep.equal([0, 0]);
      const quotas = store.quotas?.({ limit: 1_000, windowMilliseconds: 60_000 });
      const key = newId();
      await Promise.all(atOnce(crowd, async () => quotas?.lease([{ key, count: 1 }])));
      await Promise.all(atOnce(crowd, () => store.unitOfWork.run(async () => undefined)));
      expect(waits()).to.deep.equal([0, 0]);
    });

    it('grows while those before whom somebody waits are not done, for those who have to wait', async () => {
      const gate = Promise.withResolvers<void>();
      const all = atOnce(crowd, () => store.unitOfWork.run(() => gate.promise));
      await until(
        async () => store.queueDelay('change'),
        (milliseconds) => milliseconds > 200,
      );
      expect(store.queueDelay('read')).to.satisfy((wait: number) => wait > 0 === readersWait);
      gate.resolve();
      await Promise.all(all);
      await until(
        async () => waits(),
        ([read, change]) => read === 0 && change === 0,
      );
    });
  });
