import type { Application } from '#application/application.ts';
import { reindexer } from '#application/jobs/product-index.ts';
import type { ProductId } from '#domain/product.ts';
import { command, flag } from '../framework/command.ts';
import { exitCodeForSignal, exitCodes } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';
import { withExistingApplication } from '../open-application.ts';

export const reindex = command({
  name: 'reindex',
  description: 'Rebuild the index by which products are found.',
  details: [
    'It compares each product with its words in the index and replaces words that differ. Servers can run meanwhile, and repeat it every hour by themselves.',
    'Run it after an upgrade from a release without search, once the last server of that release has ended, to find all products at once.',
  ],
  options: {
    json: flag('Print the counts as JSON.'),
    quiet: flag('Show no progress.'),
  },
  run: ({ json, quiet }, terminal) =>
    withExistingApplication(async ({ application }) => {
      const { signal, ...counts } = await rebuild(application, terminal, !(json || quiet));
      const done = !signal.aborted;
      if (json) await terminal.print(`${JSON.stringify({ ...counts, done })}\n`);
      else if (!quiet || !done) {
        const { products, reindexed } = counts;
        await terminal.notify(
          `${done ? 'Compared' : 'Stopped after'} ${products} ${products === 1 ? 'product' : 'products'}: ${reindexed} reindexed.`,
        );
      }
      return done ? exitCodes.success : exitCodeForSignal(signal);
    }),
});

interface Rebuilt {
  readonly products: number;
  readonly reindexed: number;
  /** Aborted when the command was interrupted before the end. */
  readonly signal: AbortSignal;
}

const rebuild = async (
  { unitOfWork }: Application,
  terminal: Terminal,
  showsProgress: boolean,
): Promise<Rebuilt> => {
  const signal = terminal.interruptSignal();
  const progress = terminal.progress(showsProgress);
  const reindexBatch = reindexer(unitOfWork);
  let [products, reindexed] = [0, 0];
  let after: ProductId | undefined;
  try {
    do {
      const batch = await reindexBatch(after);
      products += batch.products;
      reindexed += batch.changed;
      after = batch.next;
      progress.update({ done: products, share: undefined, unit: 'products' });
    } while (after !== undefined && !signal.aborted);
  } finally {
    progress.end();
  }
  return { products, reindexed, signal };
};
