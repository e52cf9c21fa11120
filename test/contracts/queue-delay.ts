import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { sleep } from '#adapters/support/time.ts';
import { newId } from '../support/machine.ts';
import { until } from '../support/until.ts';
import { atOnce, mocha } from './harness.ts';

type OpenQueue = () => Promise<
  Pick<Store, 'unitOfWork' | 'queueDelay' | 'close'> & Partial<Pick<Store, 'quotas'>>
>;

/** More than any store serves concurrently. */
const crowd = 40;

/** The contract of `Store.queueDelay` where requests queue. @param readersWait whether reads queue too; undefined where it is not known */
export const describeStoreWait = (
  adapter: string,
  open: OpenQueue,
  readersWait?: boolean,
  runner = mocha(),
) =>
  runner.describe(`${adapter}: the queue delay of the store`, () => {
    const { it, before, after } = runner;
    let store: Awaited<ReturnType<OpenQueue>>;
    before(async () => {
      store = await open();
    });
    after(() => store.close());

    const waits = (): readonly number[] => [store.queueDelay('read'), store.queueDelay('change')];

    it('is 0 while no request waits, whatever was served before', async () => {
      expect(waits()).to.deep.equal([0, 0]);
      const quotas = store.quotas?.({ limit: 1_000, windowMilliseconds: 60_000 });
      const key = newId();
      await Promise.all(atOnce(crowd, async () => quotas?.lease([{ key, count: 1 }])));
      await Promise.all(atOnce(crowd, () => store.unitOfWork.run(async () => undefined)));
      expect(waits()).to.deep.equal([0, 0]);
      // An estimate needs two samples.
      await sleep(5);
      expect(waits()).to.deep.equal([0, 0]);
    });

    it('grows while the requests ahead are not served, for requests that queue', async () => {
      const gate = Promise.withResolvers<void>();
      const all = atOnce(crowd, () =>
        store.unitOfWork.run(async ({ users }) => {
          // A unit of work queues for what its first lock needs.
          await users.lock(newId());
          await gate.promise;
        }),
      );
      await until(
        async () => store.queueDelay('change'),
        (milliseconds) => milliseconds > 200,
      );
      if (readersWait !== undefined) expect(store.queueDelay('read') > 0).to.equal(readersWait);
      gate.resolve();
      await Promise.all(all);
      await until(
        async () => waits(),
        ([read, change]) => read === 0 && change === 0,
      );
    });
  });
