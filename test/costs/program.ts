// Carries out operations one by one, as its parent says, so that their system calls can be traced.
import { SimulatedTime } from '../support/simulated-time.ts';
import { operationsOf } from './operations.ts';
import { openShop, settle } from './shop.ts';

const [url = ''] = process.argv.slice(2);
const cleanUp = new AsyncDisposableStack();
const time = new SimulatedTime();
const operations = await operationsOf(await openShop(url, time, cleanUp), cleanUp);

let run = async (): Promise<void> => undefined;

/** `prepare` carries the operation out once, and prepares the next time, which `run` is. */
process.on('message', async ({ name }: { readonly name?: string }) => {
  if (name === undefined) await run();
  else {
    const operation = operations[name];
    if (operation === undefined) throw new Error(`There is no operation named ${name}.`);
    await operation.run(await operation.prepare());
    const prepared = await operation.prepare();
    run = async () => void (await operation.run(prepared));
  }
  await settle();
  process.send?.({ done: true });
});
process.once('disconnect', () => process.exit());
process.send?.({ operations: Object.keys(operations) });
