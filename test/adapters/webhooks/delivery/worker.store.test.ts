import { sleep } from '#adapters/support/time.ts';
import { storeAt } from '../../../support/store-at.ts';
import { allKinds, createDatabase, productOf } from '../../../support/test-databases.ts';
import { until } from '../../../support/until.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { describeDeliveries } from './deliveries-suite.ts';
import { aDeliveryFixture } from './fixture.ts';

/** Real receivers, in real time: `worker.test.ts` has the others. */
for (const kind of allKinds.filter((name) => name === 'postgres' || name === 'mariadb'))
  describeDeliveries(productOf(kind), async () => {
    const database = await createDatabase(kind);
    const store = await storeAt(database.url);
    const number = async (): Promise<void> => {
      while ((await store.numberEvents?.())?.hasMore);
    };
    const fixture = aDeliveryFixture({ unitOfWork: store.unitOfWork, number });
    const receivers: Receiver[] = [];
    return {
      ...{ fixture, until, pass: sleep, settle: (promise) => promise },
      start: async (respond = () => 204) => {
        const receiver = await startReceiver(async (_, response) => {
          response.writeHead(await respond()).end();
        });
        receivers.push(receiver);
        return receiver;
      },
      end: async () => {
        await fixture.end();
        await Promise.all(receivers.map((receiver) => receiver.close()));
        await store.close();
        await database.remove();
      },
    };
  });
