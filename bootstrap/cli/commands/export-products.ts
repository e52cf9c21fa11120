import { csvRow } from '#adapters/files/csv.ts';
import { wholeProduct } from '#adapters/http/v1/products.ts';
import { exportColumns } from '#adapters/product-files/columns.ts';
import { exportCells } from '#adapters/product-files/composite-cells.ts';
import type { Application } from '#application/application.ts';
import type { Product } from '#domain/product.ts';
import { oneOf } from '../../config/env-parser.ts';
import { type Print, writeAtomically } from '../export/atomic-write.ts';
import { byteOrderMark, createHazards, type Hazards } from '../export/spreadsheet-hazards.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { exitCodeForSignal, exitCodes, UsageError } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';
import { type Format, formatOf, formats } from '../import/product-rows.ts';
import { withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';

export const exportProducts = command({
  name: 'export products',
  description: 'Export products with an SKU to a file that import products can read.',
  details: [
    'Products without an SKU are skipped, because import products identifies products by it. Use --all to export them, too.',
    'Excel reads a CSV file as UTF-8 only with --bom. A spreadsheet runs a cell that begins with =, +, - or @ as a formula: open names from other people as text.',
    'A product that changes during the export is written as it was before or after the change.',
  ],
  operands: {
    file: value('FILE', {
      description:
        'The file to write. It appears when it is complete. Default: standard output, also named -.',
      parse: nonEmpty,
    }),
  },
  options: {
    format: value(formats.join('|'), {
      description: 'Format of the file. Default: by its name, otherwise jsonl.',
      expects: `one of ${formats.join(', ')}`,
      parse: oneOf(formats),
    }),
    bom: flag('Begin a CSV file with a byte order mark, so that Excel reads it as UTF-8.'),
    all: flag('Include products without an SKU.'),
    quiet: flag('Show no progress.'),
  },
  run: ({ file = '-', format: named, bom, all, quiet }, terminal) => {
    if (named === undefined && workbook.test(file)) {
      throw new UsageError(
        'An export writes no workbook. Name a file that ends in .csv, and add --bom for Excel.',
      );
    }
    const format = named ?? formatOf(file);
    if (bom && format !== 'csv') throw new UsageError('--bom is for CSV. Add --format csv.');
    return withExistingApplication(async ({ application }) => {
      const options = { application, terminal, format, bom, all, quiet };
      const { signal, ...counts } = await (isStandardOutput(file)
        ? writeProducts(options, terminal.print)
        : writeFile(file, options));
      if (signal.aborted) return exitCodeForSignal(signal);
      await report(counts, options);
      return exitCodes.success;
    });
  },
});

/** Names of files that a spreadsheet would open as its own. */
const workbook = /\.(xlsx?|xlsm|ods|numbers)$/i;

/** `/dev/stdout` cannot be opened when standard output is a socket. */
const isStandardOutput = (file: string): boolean => file === '-' || file === '/dev/stdout';

interface ExportOptions {
  readonly application: Application;
  readonly terminal: Terminal;
  readonly format: Format;
  readonly bom: boolean;
  readonly all: boolean;
  readonly quiet: boolean;
}

interface Counts {
  readonly written: number;
  readonly skipped: number;
  /** What a spreadsheet would spoil, a line each. */
  readonly warnings: readonly string[];
}

interface ExportResult extends Counts {
  /** Aborted when the export was interrupted before its end. */
  readonly signal: AbortSignal;
}

const writeFile = async (file: string, options: ExportOptions): Promise<ExportResult> => {
  let result: ExportResult | undefined;
  await writeAtomically(file, async (print) => {
    result = await writeProducts(options, print);
    return !result.signal.aborted;
  });
  if (result === undefined) throw new TypeError('writeAtomically did not call its callback.');
  return result;
};

const writeProducts = async (options: ExportOptions, print: Print): Promise<ExportResult> => {
  const { application, terminal, format, bom, all, quiet } = options;
  const signal = terminal.interruptSignal();
  const progress = terminal.progress(!quiet);
  let [written, skipped] = [0, 0];
  const hazards = createHazards();
  try {
    if (format === 'csv') {
      await print(`${bom ? byteOrderMark : ''}${csvRow(exportColumns)}`);
    }
    for await (const products of pages(application)) {
      if (signal.aborted) break;
      const selected = products.filter(({ sku }) => all || sku !== null);
      await print(selected.map((product) => renderRow(product, format, hazards)).join(''));
      written += selected.length;
      skipped += products.length - selected.length;
      progress.update({ done: written, share: undefined, unit: 'products' });
    }
  } finally {
    progress.end();
  }
  return { written, skipped, warnings: hazards.warnings(bom), signal };
};

const report = async (
  { written, skipped, warnings }: Counts,
  { terminal, quiet }: ExportOptions,
): Promise<void> => {
  if (!quiet) for (const line of [`Exported ${countOf(written)}.`, ...warnings]) await terminal.notify(line);
  if (skipped > 0) {
    await terminal.notify(`Skipped ${countOf(skipped)} without an SKU. Use --all to export them, too.`);
  }
};

const countOf = (products: number): string => `${products} ${products === 1 ? 'product' : 'products'}`;

async function* pages({
  useCases,
  unitOfWork,
}: Application): AsyncGenerator<readonly Product[], void, undefined> {
  let after: Product['id'] | undefined;
  for (;;) {
    const query = { filter: {}, page: { after, limit: 500 } };
    const { rows, hasMore } = await unitOfWork.read(useCases.products.list(systemCaller, query));
    yield rows;
    after = rows.at(-1)?.id;
    if (!hasMore) return;
  }
}

const renderRow = (product: Product, format: Format, hazards: Hazards): string => {
  const object = wholeProduct.encode(product);
  if (format === 'jsonl') return `${JSON.stringify(object)}\n`;
  const cells = exportCells(object);
  hazards.inspect(cells);
  return csvRow(cells);
};
