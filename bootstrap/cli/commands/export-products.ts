import { csvRow } from '#adapters/files/csv.ts';
import { wholeProduct } from '#adapters/http/v1/products.ts';
import type { Application } from '#application/application.ts';
import type { Product } from '#domain/product.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { exitCodeForSignal, exitCodes } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';
import { type Print, writeAtomically } from '../import/atomic-write.ts';
import { cellsFromObject } from '../import/columns.ts';
import { type Format, formatOf, formats, productColumns } from '../import/product-rows.ts';
import { withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';

export const exportProducts = command({
  name: 'export products',
  description: 'Export products with an SKU to a file that import products can read.',
  details: [
    'Products without an SKU are skipped, because import products identifies products by it. Use --all to export them, too.',
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
    all: flag('Include products without an SKU.'),
    quiet: flag('Show no progress.'),
  },
  run: ({ file = '-', format = formatOf(file), all, quiet }, terminal) =>
    withExistingApplication(async ({ application }) => {
      const options = { application, terminal, format, all, quiet };
      const { signal, ...counts } = await (isStandardOutput(file)
        ? writeProducts(options, terminal.print)
        : writeFile(file, options));
      if (signal.aborted) return exitCodeForSignal(signal);
      await report(counts, options);
      return exitCodes.success;
    }),
});

/** `/dev/stdout` cannot be opened when standard output is a socket. */
const isStandardOutput = (file: string): boolean => file === '-' || file === '/dev/stdout';

interface ExportOptions {
  readonly application: Application;
  readonly terminal: Terminal;
  readonly format: Format;
  readonly all: boolean;
  readonly quiet: boolean;
}

interface Counts {
  readonly written: number;
  readonly skipped: number;
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
  const { application, terminal, format, all, quiet } = options;
  const signal = terminal.interruptSignal();
  const progress = terminal.progress(!quiet);
  let [written, skipped] = [0, 0];
  try {
    if (format === 'csv') await print(csvRow(productColumns.map(({ name }) => name)));
    for await (const products of pages(application)) {
      if (signal.aborted) break;
      const selected = products.filter(({ sku }) => all || sku !== null);
      await print(selected.map((product) => renderRow(product, format)).join(''));
      written += selected.length;
      skipped += products.length - selected.length;
      progress.update({ done: written, share: undefined, unit: 'products' });
    }
  } finally {
    progress.end();
  }
  return { written, skipped, signal };
};

const report = async ({ written, skipped }: Counts, { terminal, quiet }: ExportOptions): Promise<void> => {
  if (!quiet) await terminal.notify(`Exported ${countOf(written)}.`);
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

const renderRow = (product: Product, format: Format): string => {
  const object = wholeProduct.encode(product);
  return format === 'csv' ? csvRow(cellsFromObject(productColumns, object)) : `${JSON.stringify(object)}\n`;
};
