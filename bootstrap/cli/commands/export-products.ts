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
  description: 'Writes the products that have an sku so that import products takes them.',
  details: [
    'Products without an sku are left out, because import products would not know them again; --all writes them too. What is changed meanwhile may be written as it was or as it is.',
  ],
  operands: {
    file: value('FILE', {
      description: 'Where to; standard output, unless it is said. It is there when it is complete.',
      parse: nonEmpty,
    }),
  },
  options: {
    format: value(formats.join('|'), {
      expects: `one of ${formats.join(', ')}`,
      description: 'What to write; by the file’s name, unless it is said, and otherwise JSON Lines.',
      parse: oneOf(formats),
    }),
    all: flag('Those without an sku, too.'),
    quiet: flag('Shows no progress.'),
  },
  run: ({ file = '-', format = formatOf(file), all, quiet }, terminal) =>
    withExistingApplication(async ({ portico }) => {
      const task = { portico, terminal, format, all, quiet };
      const { signal, ...counts } = await (isStandardOutput(file)
        ? write(task, terminal.print)
        : writeTo(file, task));
      if (signal.aborted) return exitCodeForSignal(signal);
      await report(counts, task);
      return exitCodes.success;
    }),
});

/** Its other name is not always one that can be opened. */
const isStandardOutput = (file: string): boolean => file === '-' || file === '/dev/stdout';

interface Task {
  readonly portico: Application;
  readonly terminal: Terminal;
  readonly format: Format;
  readonly all: boolean;
  readonly quiet: boolean;
}

interface Counts {
  readonly written: number;
  readonly leftOut: number;
}

interface Written extends Counts {
  /** Aborted when that is not all. */
  readonly signal: AbortSignal;
}

const writeTo = async (file: string, task: Task): Promise<Written> => {
  let written: Written | undefined;
  await writeAtomically(file, async (print) => {
    written = await write(task, print);
    return !written.signal.aborted;
  });
  if (written === undefined) throw new TypeError('Nothing was asked to be written.');
  return written;
};

const write = async (task: Task, print: Print): Promise<Written> => {
  const { portico, terminal, format, all, quiet } = task;
  const signal = terminal.interruptSignal();
  const progress = terminal.progress(!quiet);
  let [written, leftOut] = [0, 0];
  try {
    if (format === 'csv') await print(csvRow(productColumns.map(({ name }) => name)));
    for await (const products of pages(portico)) {
      if (signal.aborted) break;
      const wanted = products.filter(({ sku }) => all || sku !== null);
      await print(wanted.map((product) => rowOf(product, format)).join(''));
      written += wanted.length;
      leftOut += products.length - wanted.length;
      progress.update({ done: written, share: undefined, unit: 'products' });
    }
  } finally {
    progress.end();
  }
  return { written, leftOut, signal };
};

/** Once all of it is where it belongs. */
const report = async ({ written, leftOut }: Counts, { terminal, quiet }: Task): Promise<void> => {
  if (!quiet) await terminal.notify(`Exported ${written} products.`);
  if (leftOut > 0) await terminal.notify(`${leftOut} have no sku and were left out; --all writes them too.`);
};

async function* pages({
  useCases,
  unitOfWork,
}: Application): AsyncGenerator<readonly Product[], void, undefined> {
  let after: Product['id'] | undefined;
  for (;;) {
    const wanted = { filter: {}, page: { after, limit: 500 } };
    const { rows, hasMore } = await unitOfWork.read(useCases.products.list(systemCaller, wanted));
    yield rows;
    after = rows.at(-1)?.id;
    if (!hasMore) return;
  }
}

const rowOf = (product: Product, format: Format): string => {
  const object = wholeProduct.encode(product);
  return format === 'csv' ? csvRow(cellsFromObject(productColumns, object)) : `${JSON.stringify(object)}\n`;
};
