import { open, rename, rm } from 'node:fs/promises';
import { csvRow } from '#adapters/files/csv.ts';
import { wholeProduct } from '#adapters/http/v1/products.ts';
import type { Portico } from '#application/portico.ts';
import type { Product } from '#domain/product.ts';
import { command } from '../command-line/command.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../command-line/exit-codes.ts';
import { flag, value, words } from '../command-line/option.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { founder } from '../founder.ts';
import { cellsOf } from '../product-files/columns.ts';
import { type Format, formatOf, formats, productColumns } from '../product-files/product-rows.ts';
import { oneOf } from '../settings.ts';
import { withPortico } from '../with-portico.ts';

export const exportProducts = command({
  name: 'export products',
  says: 'Writes the products that have an sku so that import products takes them.',
  details: [
    'Products without an sku are left out, because import products would not know them again; --all writes them too. What is changed meanwhile may be written as it was or as it is.',
  ],
  operands: {
    file: value('FILE', {
      says: 'Where to; standard output, unless it is said. It is there when it is complete.',
      read: words,
    }),
  },
  options: {
    format: value(formats.join('|'), {
      says: 'What to write; by the file’s name, unless it is said, and otherwise JSON Lines.',
      read: oneOf(formats),
    }),
    all: flag('Those without an sku, too.'),
    quiet: flag('Shows no progress.'),
  },
  run: ({ file = '-', format = formatOf(file), all, quiet }, terminal) =>
    withPortico(({ portico }) =>
      file === '-'
        ? write({ portico, terminal, format, all, quiet }, terminal.print)
        : toFile(file, (print) => write({ portico, terminal, format, all, quiet }, print)),
    ),
});

type Print = (text: string) => Promise<void>;

/** The file is there when all of it is, and stays as it was when it is not to be. */
const toFile = async (file: string, writeWith: (print: Print) => Promise<ExitCode>): Promise<ExitCode> => {
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w');
  try {
    const code = await writeWith(async (text) => {
      await handle.appendFile(text);
    });
    await handle.close();
    if (code === exitCodes.done) await rename(unfinished, file);
    return code;
  } finally {
    await handle.close().catch(() => undefined);
    await rm(unfinished, { force: true });
  }
};

interface Task {
  readonly portico: Portico;
  readonly terminal: Terminal;
  readonly format: Format;
  readonly all: boolean;
  readonly quiet: boolean;
}

const write = async (task: Task, print: Print): Promise<ExitCode> => {
  const { portico, terminal, format, all, quiet } = task;
  const interruption = terminal.interruption();
  const progress = terminal.progress(!quiet);
  const counts = { written: 0, leftOut: 0 };
  try {
    if (format === 'csv') await print(csvRow(productColumns.map(({ name }) => name)));
    for await (const products of pages(portico)) {
      if (interruption.aborted) break;
      const wanted = products.filter(({ sku }) => all || sku !== null);
      await print(wanted.map((product) => rowOf(product, format)).join(''));
      counts.written += wanted.length;
      counts.leftOut += products.length - wanted.length;
      progress.show({ done: counts.written, share: undefined, of: 'products' });
    }
  } finally {
    progress.end();
  }
  if (interruption.aborted) return exitCodeOf(interruption);
  if (!quiet) await terminal.note(`Exported ${counts.written} products.`);
  if (counts.leftOut > 0) {
    await terminal.note(`${counts.leftOut} have no sku and were left out; --all writes them too.`);
  }
  return exitCodes.done;
};

async function* pages({
  useCases,
  unitOfWork,
}: Portico): AsyncGenerator<readonly Product[], void, undefined> {
  let after: Product['id'] | undefined;
  for (;;) {
    const wanted = { filter: {}, page: { after, limit: 500 } };
    const { rows, hasMore } = await unitOfWork.read(useCases.products.list(founder, wanted));
    yield rows;
    after = rows.at(-1)?.id;
    if (!hasMore) return;
  }
}

const rowOf = (product: Product, format: Format): string => {
  const object = wholeProduct.encode(product);
  return format === 'csv' ? csvRow(cellsOf(productColumns, object)) : `${JSON.stringify(object)}\n`;
};
