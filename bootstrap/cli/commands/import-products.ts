import { isEncoding } from '#adapters/files/encoding.ts';
import { exportColumns } from '#adapters/product-files/columns.ts';
import { decimalSigns } from '#adapters/product-files/numbers.ts';
import { presetNames } from '#adapters/product-files/presets.ts';
import { integerBetween, oneOf } from '../../config/env-parser.ts';
import { command, flag, list, nonEmpty, optionalValue, required, value } from '../framework/command.ts';
import { type ExitCode, exitCodeForSignal } from '../framework/exit-codes.ts';
import { formatFor, parseCurrency, parseRename, resumeHint } from '../import/arguments.ts';
import { storeSink } from '../import/batches.ts';
import { createPreview } from '../import/dry-run.ts';
import { type Input, openInput } from '../import/input.ts';
import { formats } from '../import/product-rows.ts';
import { indexSkus, type Job, runImport } from '../import/run-import.ts';
import type { SkuIndex } from '../import/sku-index.ts';
import { storedProducts } from '../import/stored-products.ts';
import { printDryRun, printSummary } from '../import/summary.ts';
import { withApplication } from '../open-application.ts';

export const importProducts = command({
  name: 'import products',
  description: 'Import products from a CSV or JSON Lines file: update known SKUs, add new ones.',
  details: [
    `Each line of JSON Lines is a body of PATCH /products/{id} with an sku. The first line of a CSV file names the columns, in any order: ${exportColumns.join(', ')}.`,
    'A product that exists needs only its sku and what changes, so that sku,stock is a whole file. A new product needs a name and a price, too.',
    'Instead of price_amount, which is in the minor unit (1290), a column price can hold prices as people write them (12.90). Commas separate tags and images, and metadata.colour is a column for one text of the metadata.',
    'A product keeps what its line leaves out. In CSV an empty cell clears the field; an empty sku, name, price, status or metadata counts as left out.',
    'A line whose empty cell would end the counting of a stock, a tax rate or a quantity_step is rejected without --allow-uncounted.',
    'stock is what can still be ordered: of what was counted on the shelf, leave out what pending and paid orders wait for.',
    'Invalid lines are reported and the others imported; the exit code is then 3. Importing a file again is safe: unchanged products stay as they are.',
  ],
  operands: {
    file: required('FILE', { description: 'The file to read; - reads standard input.', parse: nonEmpty }),
  },
  options: {
    format: value(formats.join('|'), {
      description: 'Format of the file. Default: by its name, otherwise jsonl.',
      expects: `one of ${formats.join(', ')}`,
      parse: oneOf(formats),
    }),
    preset: value(presetNames.join('|'), {
      description: 'Read the product export of another shop. Its other columns are ignored.',
      expects: `one of ${presetNames.join(', ')}`,
      parse: oneOf(presetNames),
    }),
    map: list('COLUMN=NAME', {
      description: 'Read a column by another name, as in "Regular price=price". Can be repeated.',
      expects: 'a column of the file, = and a name, such as "Regular price=price"',
      parse: parseRename,
    }),
    ignoreUnknown: flag('Ignore columns that are unknown.'),
    allowUncounted: flag(
      'Let empty cells of stock, quantity_step and tax_rate empty these fields of existing products.',
    ),
    currency: value('CODE', {
      description: 'The currency of rows that name none, such as EUR.',
      expects: 'an ISO 4217 code, such as EUR',
      parse: parseCurrency,
    }),
    decimal: optionalValue(decimalSigns.join('|'), {
      description:
        'Read price_amount, stock, quantity_step and tax_rate as people write numbers: 12.90 or 12,90.',
      expects: `one of ${decimalSigns.join(', ')}`,
      parse: oneOf(decimalSigns),
    }),
    encoding: value('NAME', {
      description: 'Encoding of the file, such as windows-1252. Default: UTF-8, or UTF-16 if it is that.',
      expects: 'an encoding such as utf-8, utf-16le, windows-1252 or macintosh',
      parse: (text) => (isEncoding(text) ? text : undefined),
    }),
    dryRun: flag(
      'Check the file and show the first products, but change nothing. The database is only read, and only for lines that depend on what is stored.',
    ),
    fromLine: value('N', {
      description: 'Skip the lines before line N.',
      expects: 'a line number, from 1',
      parse: integerBetween(1, Number.MAX_SAFE_INTEGER),
    }),
    quiet: flag('Show no progress.'),
    json: flag('Print the summary as JSON, and show no progress.'),
  },
  run: async ({ file, fromLine = 1, dryRun, ...values }, terminal) => {
    const importArguments = { file, ...values };
    const format = formatFor(importArguments);
    const interrupt = terminal.interruptSignal();
    let input: Input | undefined;
    try {
      input = await openInput(file, terminal);
      const progress = terminal.progress(!values.quiet && !values.json);
      const job = { arguments: importArguments, input, format, fromLine, terminal, progress };
      const skus = await indexSkus(job);
      if (dryRun) return await dryRunImport(job, skus);
      return await withApplication(({ application }) =>
        runImport(job, skus, storeSink(application), (report) => printSummary(report, job)),
      );
    } catch (error) {
      if (!interrupt.aborted) throw error;
      await terminal.notify(resumeHint(fromLine, importArguments));
      return exitCodeForSignal(interrupt);
    } finally {
      await input?.close();
    }
  },
});

const dryRunImport = async (job: Job, skus: SkuIndex): Promise<ExitCode> => {
  const stored = storedProducts();
  try {
    const { sink, first } = createPreview(stored.find);
    return await runImport(job, skus, sink, (report) => printDryRun(report, first, job));
  } finally {
    await stored.close();
  }
};
