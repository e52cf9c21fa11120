import { integerBetween } from '../../config/env-parser.ts';
import { seedProduct } from '../../demo/seed-catalogue.ts';
import { command, flag, required } from '../framework/command.ts';
import { exitCodeForSignal, exitCodes } from '../framework/exit-codes.ts';
import { upsertWithFallback } from '../import/upsert-with-fallback.ts';
import { withApplication } from '../open-application.ts';

/** As much as goes into one unit of work. */
const together = 500;

export const seed = command({
  name: 'seed',
  description: 'Fills the catalogue with products that look real, the same ones each time.',
  details: ['Those that are there already stay, so a larger number adds only what is missing.'],
  options: {
    products: required('N', {
      description: 'How many.',
      expects: 'a whole number from 1 to 10000000',
      parse: integerBetween(1, 10_000_000),
    }),
    quiet: flag('Shows no progress.'),
  },
  run: ({ products, quiet }, terminal) =>
    withApplication(async ({ portico }) => {
      const interruption = terminal.interruptSignal();
      const progress = terminal.progress(!quiet);
      const sum = { done: 0, added: 0 };
      try {
        while (sum.done < products && !interruption.aborted) {
          const count = Math.min(together, products - sum.done);
          const list = Array.from({ length: count }, (_, index) => seedProduct(sum.done + index + 1));
          const { added } = await upsertWithFallback(portico, list, 'insertMissing');
          sum.done += count;
          sum.added += added;
          progress.update({ done: sum.done, share: sum.done / products, unit: 'products' });
        }
      } finally {
        progress.end();
      }
      await terminal.print(`${sum.added} products added, ${sum.done - sum.added} were there.\n`);
      return interruption.aborted ? exitCodeForSignal(interruption) : exitCodes.success;
    }),
});
