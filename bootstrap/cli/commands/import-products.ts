import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Application } from '#application/application.ts';
import { integerBetween, oneOf } from '../../config/env-parser.ts';
import { printError } from '../error-messages.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { type ExitCode, exitCodeForSignal, exitCodes, UsageError } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';
import { batchesOf } from '../import/batches.ts';
import { emptyTotals, type ImportTotals, importBatch } from '../import/import-batch.ts';
import { type Format, formatOf, formats, productColumns, productRows } from '../import/product-rows.ts';
import { resumeHint } from '../import/resume-hint.ts';
import { withApplication } from '../open-application.ts';

export const importProducts = command({
  name: 'import products',
  description:
    'Brings products in from a file, by their sku: those that are there are changed, the others added.',
  details: [
    'A line of JSON Lines is what POST /products takes. A CSV file names its columns in the first line, in any order: ' +
      `${productColumns.map(({ name }) => name).join(', ')}. What a line leaves out, a product that is there keeps; an empty cell is null, where that is possible, and otherwise left out.`,
    'A line that cannot be brought in is reported, and the others are brought in. What has been reported as imported stays so, whatever happens. To import a file again changes nothing that is as the file says.',
  ],
  operands: {
    file: required('FILE', { description: 'The file; - is standard input.', parse: nonEmpty }),
  },
  options: {
    format: value(formats.join('|'), {
      expects: `one of ${formats.join(', ')}`,
      description: 'What the file is; by its name, unless it is said, and otherwise JSON Lines.',
      parse: oneOf(formats),
    }),
    fromLine: value('N', {
      description: 'Passes over the lines before that.',
      expects: 'a line number, from 1',
      parse: integerBetween(1, Number.MAX_SAFE_INTEGER),
    }),
    quiet: flag('Shows no progress.'),
    json: flag('Writes the summary as JSON, and shows no progress.'),
  },
  run: async ({ file, fromLine = 1, ...given }, terminal) => {
    const input = await openInput(file);
    try {
      return await withApplication(({ portico }) =>
        importFrom(input, { portico, terminal, file, fromLine, ...given }),
      );
    } finally {
      input.stream.destroy();
    }
  },
});

interface Input {
  readonly stream: Readable;
  /** What share of it has been read, where that is known. */
  readonly share: () => number | undefined;
}

/** @throws the system's error, before anything else is done, when there is no such file */
const openInput = async (file: string): Promise<Input> => {
  if (file === '-') return { stream: process.stdin, share: () => undefined };
  const handle = await open(file);
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw new UsageError(`${file} is a folder.`);
  }
  const stream = handle.createReadStream();
  if (!stats.isFile()) return { stream, share: () => undefined };
  return { stream, share: () => stream.bytesRead / Math.max(stats.size, 1) };
};

interface Task {
  readonly portico: Application;
  readonly terminal: Terminal;
  /** As it was said, and by the file's name otherwise. */
  readonly format: Format | undefined;
  readonly fromLine: number;
  readonly file: string;
  readonly quiet: boolean;
  readonly json: boolean;
}

const importFrom = async ({ stream, share }: Input, task: Task): Promise<ExitCode> => {
  const { portico, terminal, file, format = formatOf(file), fromLine, quiet, json } = task;
  const progress = terminal.progress(!quiet && !json);
  const interruption = terminal.interruptSignal();
  let imported = emptyTotals(fromLine);
  try {
    const rows = productRows(addAbortSignal(interruption, stream), format);
    let passedOver: number | undefined;
    for await (const batch of batchesOf(rows, fromLine)) {
      passedOver ??= fromLine === 1 ? 0 : share();
      imported = await importBatch(portico, batch, imported, ({ line, reason }) =>
        terminal.notify(`line ${line}: ${reason}`),
      );
      progress.update({
        done: imported.added + imported.updated + imported.unchanged,
        share: share(),
        ...(passedOver !== undefined && { skippedShare: passedOver }),
        unit: `products, up to line ${imported.upToLine}`,
      });
      if (interruption.aborted) break;
    }
  } catch (error) {
    // What has been done already is said all the same.
    if (!interruption.aborted) {
      if (imported.upToLine < fromLine) throw error;
      progress.end();
      await summarize(imported, task, false);
      await printError(error, terminal);
      await terminal.notify(resumeHint(imported.upToLine + 1, task));
      return exitCodes.failure;
    }
  } finally {
    progress.end();
  }
  await summarize(imported, task, !interruption.aborted);
  if (interruption.aborted) {
    await terminal.notify(resumeHint(imported.upToLine + 1, task));
    return exitCodeForSignal(interruption);
  }
  return imported.rejected > 0 ? exitCodes.partial : exitCodes.success;
};

const summarize = (imported: ImportTotals, { terminal, json }: Task, done: boolean): Promise<void> => {
  const { added, updated: changed, unchanged, rejected: bad, upToLine, firstRejected: faults } = imported;
  const counts = `${added} added, ${changed} changed, ${unchanged} as they should be, ${bad} bad`;
  const howFar = upToLine === 0 ? 'There was nothing to import' : `Imported up to line ${upToLine}`;
  const summary = { added, changed, unchanged, bad, up_to_line: upToLine, bad_lines: faults, done };
  return terminal.print(json ? `${JSON.stringify(summary)}\n` : `${howFar}: ${counts}.\n`);
};
