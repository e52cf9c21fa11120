import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Portico } from '#application/portico.ts';
import { command } from '../command-line/command.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../command-line/exit-codes.ts';
import { flag, required, value, words } from '../command-line/option.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { type Batch, batchesOf, type Fault } from '../product-files/batches.ts';
import { bringInAll } from '../product-files/bring-in-all.ts';
import {
  type Format,
  formatOf,
  formats,
  productColumns,
  productRows,
} from '../product-files/product-rows.ts';
import { reasonFor, refusal } from '../remedy.ts';
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
  const { size } = await handle.stat();
  return { stream: createReadStream(file, { fd: handle, highWaterMark: 256 * 1024 }), size };
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

/** How many faults are in the summary for scripts; all of them are on standard error. */
const mostFaults = 1_000;

const importFrom = async ({ stream, size }: Input, task: Task): Promise<ExitCode> => {
  const { portico, terminal, format, fromLine, file, quiet, json } = task;
  const progress = terminal.progress(!quiet);
  const interruption = terminal.interruption();
  const summary = { added: 0, changed: 0, unchanged: 0, bad: 0, upToLine: fromLine - 1 };
  const faults: Fault[] = [];
  let bytes = 0;
  let failure: unknown;

  const report = (fault: Fault): void => {
    summary.bad += 1;
    if (faults.length < mostFaults) faults.push(fault);
    terminal.note(`line ${fault.line}: ${fault.reason}`);
  };

  const bringIn = async (batch: Batch): Promise<void> => {
    const { refused, ...counts } = await bringInAll(
      portico,
      batch.rows.map(({ product }) => product),
    );
    summary.added += counts.added;
    summary.changed += counts.changed;
    summary.unchanged += counts.unchanged;
    const refusals = batch.rows.flatMap(({ line, product: { sku } }) => {
      const reason = refused.get(sku);
      return reason === undefined ? [] : [{ line, reason: refusal(reason) }];
    });
    [...batch.faults, ...refusals].sort((one, other) => one.line - other.line).forEach(report);
    summary.upToLine = batch.lastLine;
    bytes += batch.bytes;
    const done = summary.added + summary.changed + summary.unchanged;
    const share = size === undefined ? undefined : bytes / size;
    progress.show({ done, share, of: `products, up to line ${summary.upToLine}` });
  };

  try {
    for await (const batch of batchesOf(
      productRows(addAbortSignal(interruption, stream), format),
      fromLine,
    )) {
      if (interruption.aborted) break;
      await bringIn(batch);
    }
  } catch (error) {
    if (!interruption.aborted) failure = error;
  } finally {
    progress.end();
  }
  const { added, changed, unchanged, bad, upToLine } = summary;
  if (failure !== undefined && upToLine < fromLine) throw failure;
  if (json) {
    const written = { added, changed, unchanged, bad, up_to_line: upToLine, bad_lines: faults };
    await terminal.print(
      `${JSON.stringify({ ...written, done: failure === undefined && !interruption.aborted })}\n`,
    );
  } else {
    const counts = `${added} added, ${changed} changed, ${unchanged} as they should be, ${bad} bad`;
    await terminal.print(`Imported up to line ${upToLine}: ${counts}.\n`);
  }
  if (failure !== undefined) terminal.note(`portico: ${reasonFor(failure)}`);
  if (failure !== undefined || interruption.aborted) {
    terminal.note(`To go on: portico import products ${file} --from-line ${upToLine + 1}`);
  }
  if (failure !== undefined) return exitCodes.failed;
  if (interruption.aborted) return exitCodeOf(interruption);
  return bad > 0 ? exitCodes.partlyDone : exitCodes.done;
};
