import { createApplication } from '#application/application.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Product } from '#domain/product.ts';
import { scriptedProvider } from '#test/application/provider.ts';
import { machineClock, newId } from '#test/support/machine.ts';
import { Random } from '#test/support/random.ts';
import { storeAt } from '#test/support/store-at.ts';
import { goShopping } from './shopping.ts';

/** What the test sends to the process once all are ready. */
export interface Start {
  readonly buyers: number;
  readonly caller: Caller;
  readonly products: readonly Product[];
  readonly seed: number;
}

/** Opens the store at a URL, reports that it is ready, and goes shopping on command: `node another-process.ts <url>` */
const [, , DATABASE_URL = ''] = process.argv;
const { unitOfWork, close } = await storeAt(DATABASE_URL);
const { useCases } = createApplication(
  {
    ...{ unitOfWork, clock: machineClock, newId, provider: scriptedProvider().port },
    mintToken: () => ({ token: '', secretHash: '' }),
  },
  { lease: 1_000, reconcileAfter: 60_000, orderLifetime: 0 },
);
process.once('message', async ({ buyers, seed, ...shop }: Start) => {
  const shopping = await goShopping(buyers, { unitOfWork, useCases, random: new Random(seed), ...shop });
  await close();
  process.send?.(shopping, undefined, {}, () => process.disconnect());
});
process.send?.('ready');
