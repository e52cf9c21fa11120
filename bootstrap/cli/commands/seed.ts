import { integerBetween } from '../../config/env-parser.ts';
import { seedProduct } from '../../demo/seed-catalogue.ts';
import { command, flag, required } from '../framework/command.ts';
import { exitCodeForSignal, exitCodes } from '../framework/exit-codes.ts';
import { upsertWithFallback } from '../import/upsert-with-fallback.ts';
import { withApplication } from '../open-application.ts';

/** Products in one unit of work. */
const batchSize = 500;

export const seed = command({
  name: 'seed',
  description: 'Fill the catalogue with realistic products, the same ones each time.',
  details: ['Existing products stay as they are, so a larger number adds only the missing ones.'],
  options: {
    products: required('N', {
      description: 'The number of products.',
      expects: 'a whole number from 1 to 10000000',
      parse: integerBetween(1, 10_000_000),
    }),
    quiet: flag('Show no progress.'),
  },
  run: ({ products, quiet }, terminal) =>
    withApplication(async ({ application }) => {
      const interrupt = terminal.interruptSignal();
      const progress = terminal.progress(!quiet);
      const totals = { done: 0, added: 0 };
      try {
        while (totals.done < products && !interrupt.aborted) {
          const count = Math.min(batchSize, products - totals.done);
          const batch = Array.from({ length: count }, (_, index) => seedProduct(totals.done + index + 1));
          const { added } = await upsertWithFallback(
            application,
            batch,
            application.useCases.products.insertMissing,
          );
          totals.done += count;
          totals.added += added;
          progress.update({ done: totals.done, share: totals.done / products, unit: 'products' });
        }
      } finally {
        progress.end();
      }
      await terminal.print(`${totals.added} products added, ${totals.done - totals.added} unchanged.\n`);
      return interrupt.aborted ? exitCodeForSignal(interrupt) : exitCodes.success;
    }),
});
