import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Portico } from '#application/portico.ts';
import { command } from '../command-line/command.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../command-line/exit-codes.ts';
import { flag, required, value, words } from '../command-line/option.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { batchesOf } from '../product-files/batches.ts';
import { type Imported, importBatch, nothingYet } from '../product-files/import-batch.ts';
import {
  type Format,
  formatOf,
  formats,
  productColumns,
  productRows,
} from '../product-files/product-rows.ts';
import { reasonFor } from '../remedy.ts';
import { integerFrom, oneOf } from '../settings.ts';
import { withPortico } from '../with-portico.ts';

export const importProducts = command({
  name: 'import products',
  says: 'Brings products in from a file, by their sku: those that are there are changed, the others added.',
  details: [
    'A line of JSON Lines is what POST /products takes. A CSV file names its columns in the first line, in any order: ' +
      `${productColumns.map(({ name }) => name).join(', ')}. What a line leaves out, a product that is there keeps; an empty cell is null, where that is possible, and otherwise left out.`,
    'A line that cannot be brought in is reported, and the others are brought in. What has been reported as imported stays so, whatever happens. To import a file again changes nothing that is as the file says.',
  ],
  operands: {
    file: required('FILE', { says: 'The file; - is standard input.', read: words }),
  },
  options: {
    format: value(formats.join('|'), {
      says: 'What the file is; by its name, unless it is said, and otherwise JSON Lines.',
      read: oneOf(formats),
    }),
    fromLine: value('N', {
      says: 'Passes over the lines before that.',
      takes: 'the number of a line, from 1',
      read: integerFrom(1, Number.MAX_SAFE_INTEGER),
    }),
    quiet: flag('Shows no progress.'),
    json: flag('Writes the summary as JSON, and shows no progress.'),
  },
  run: async ({ file, format = formatOf(file), fromLine = 1, quiet, json }, terminal) => {
    const input = await openInput(file);
    try {
      return await withPortico(({ portico }) =>
        importFrom(input, { portico, terminal, format, fromLine, file, quiet: quiet || json, json }),
      );
    } finally {
      input.stream.destroy();
    }
  },
});

interface Input {
  readonly stream: Readable;
  /** In bytes, where that is known. */
  readonly size: number | undefined;
}

/** @throws the system's error, before anything else is done, when there is no such file */
const openInput = async (file: string): Promise<Input> => {
  if (file === '-') return { stream: process.stdin, size: undefined };
  const handle = await open(file);
  const stats = await handle.stat();
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder.`);
  const stream = createReadStream(file, { fd: handle, highWaterMark: 256 * 1024 });
  return { stream, size: stats.isFile() ? stats.size : undefined };
};

interface Task {
  readonly portico: Portico;
  readonly terminal: Terminal;
  readonly format: Format;
  readonly fromLine: number;
  readonly file: string;
  readonly quiet: boolean;
  readonly json: boolean;
}

const importFrom = async ({ stream, size }: Input, task: Task): Promise<ExitCode> => {
  const { portico, terminal, format, fromLine, quiet } = task;
  const progress = terminal.progress(!quiet);
  const interruption = terminal.interruption();
  let imported = nothingYet(fromLine);
  try {
    const rows = productRows(addAbortSignal(interruption, stream), format);
    for await (const batch of batchesOf(rows, fromLine)) {
      imported = await importBatch(portico, batch, imported, ({ line, reason }) =>
        terminal.note(`line ${line}: ${reason}`),
      );
      progress.show({
        done: imported.added + imported.changed + imported.unchanged,
        share: size === undefined ? undefined : imported.bytes / size,
        of: `products, up to line ${imported.upToLine}`,
      });
      if (interruption.aborted) break;
    }
  } catch (error) {
    // What has been done already is said all the same.
    if (!interruption.aborted) {
      if (imported.upToLine < fromLine) throw error;
      progress.end();
      await summarize(imported, task, false);
      terminal.note(`portico: ${reasonFor(error)}`);
      wayOn(imported, task);
      return exitCodes.failed;
    }
  } finally {
    progress.end();
  }
  await summarize(imported, task, !interruption.aborted);
  if (interruption.aborted) {
    wayOn(imported, task);
    return exitCodeOf(interruption);
  }
  return imported.bad > 0 ? exitCodes.partlyDone : exitCodes.done;
};

const summarize = (imported: Imported, { terminal, json }: Task, done: boolean): Promise<void> => {
  const { added, changed, unchanged, bad, upToLine, faults } = imported;
  const counts = `${added} added, ${changed} changed, ${unchanged} as they should be, ${bad} bad`;
  const summary = { added, changed, unchanged, bad, up_to_line: upToLine, bad_lines: faults, done };
  return terminal.print(
    json ? `${JSON.stringify(summary)}\n` : `Imported up to line ${upToLine}: ${counts}.\n`,
  );
};

const wayOn = ({ upToLine }: Imported, { terminal, file }: Task): void =>
  terminal.note(`To go on: portico import products ${file} --from-line ${upToLine + 1}`);
