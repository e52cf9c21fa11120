import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Application } from '#application/application.ts';
import { integerBetween, oneOf } from '../../config/env-parser.ts';
import { printError } from '../error-messages.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { type ExitCode, exitCodeForSignal, exitCodes, UsageError } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';
import { batchesOf, emptyTotals, type ImportTotals, importBatch } from '../import/batches.ts';
import { type Format, formatOf, formats, productColumns, productRows } from '../import/product-rows.ts';
import { withApplication } from '../open-application.ts';

export const importProducts = command({
  name: 'import products',
  description: 'Import products from a CSV or JSON Lines file: update known SKUs, add new ones.',
  details: [
    `Each line of JSON Lines is a body of POST /products with an sku. The first line of a CSV file names the columns, in any order: ${productColumns.map(({ name }) => name).join(', ')}.`,
    'A product keeps what its line leaves out. In CSV an empty cell is null, or left out where null is not possible.',
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
    fromLine: value('N', {
      description: 'Skip the lines before line N.',
      expects: 'a line number, from 1',
      parse: integerBetween(1, Number.MAX_SAFE_INTEGER),
    }),
    quiet: flag('Show no progress.'),
    json: flag('Print the summary as JSON, and show no progress.'),
  },
  run: async ({ file, fromLine = 1, ...values }, terminal) => {
    const input = await openInput(file);
    try {
      return await withApplication(({ application }) =>
        importFrom(input, { application, terminal, file, fromLine, ...values }),
      );
    } finally {
      input.stream.destroy();
    }
  },
});

interface Input {
  readonly stream: Readable;
  /** The share that has been read, from 0 to 1; undefined when the size is unknown. */
  readonly share: () => number | undefined;
}

/** @throws the system's error when the file cannot be opened, before the database is touched */
const openInput = async (file: string): Promise<Input> => {
  if (file === '-') return { stream: process.stdin, share: () => undefined };
  const handle = await open(file);
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw new UsageError(`${file} is a folder. Name a file.`);
  }
  const stream = handle.createReadStream();
  if (!stats.isFile()) return { stream, share: () => undefined };
  return { stream, share: () => stream.bytesRead / Math.max(stats.size, 1) };
};

interface ImportArguments {
  readonly file: string;
  /** Undefined when it follows from the file's name. */
  readonly format: Format | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
}

interface ImportOptions extends ImportArguments {
  readonly application: Application;
  readonly terminal: Terminal;
  readonly fromLine: number;
}

const importFrom = async ({ stream, share }: Input, options: ImportOptions): Promise<ExitCode> => {
  const { application, terminal, file, format = formatOf(file), fromLine, quiet, json } = options;
  const progress = terminal.progress(!quiet && !json);
  const interrupt = terminal.interruptSignal();
  let totals = emptyTotals(fromLine);
  try {
    const rows = productRows(addAbortSignal(interrupt, stream), format);
    let skippedShare: number | undefined;
    for await (const batch of batchesOf(rows, fromLine)) {
      skippedShare ??= fromLine === 1 ? 0 : share();
      totals = await importBatch(application, batch, totals, ({ line, reason }) =>
        terminal.notify(`line ${line}: ${reason}`),
      );
      progress.update({
        done: totals.added + totals.updated + totals.unchanged,
        share: share(),
        ...(skippedShare !== undefined && { skippedShare }),
        unit: `products, up to line ${totals.upToLine}`,
      });
      if (interrupt.aborted) break;
    }
  } catch (error) {
    if (!interrupt.aborted) {
      if (totals.upToLine < fromLine) throw error;
      progress.end();
      await printSummary(totals, options, false);
      await printError(error, terminal);
      await terminal.notify(resumeHint(totals.upToLine + 1, options));
      return exitCodes.failure;
    }
  } finally {
    progress.end();
  }
  await printSummary(totals, options, !interrupt.aborted);
  if (interrupt.aborted) {
    await terminal.notify(resumeHint(totals.upToLine + 1, options));
    return exitCodeForSignal(interrupt);
  }
  return totals.rejected > 0 ? exitCodes.partial : exitCodes.success;
};

/** @param done whether the file was read to its end */
const printSummary = (
  totals: ImportTotals,
  { terminal, json, fromLine }: ImportOptions,
  done: boolean,
): Promise<void> => {
  const { added, updated, unchanged, rejected, upToLine, firstRejected } = totals;
  if (json) {
    const counts = { added, changed: updated, unchanged, bad: rejected };
    const summary = { ...counts, up_to_line: upToLine, bad_lines: firstRejected, done };
    return terminal.print(`${JSON.stringify(summary)}\n`);
  }
  const lines = upToLine - fromLine + 1;
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`;
  return terminal.print(`Read ${lines} ${lines === 1 ? 'line' : 'lines'}: ${counts}.\n`);
};

/** The command that imports the rest of a file, quoted for a shell. */
export const resumeHint = (line: number, { file, format, quiet, json }: ImportArguments): string => {
  const words = ['portico', 'import', 'products', shellQuote(file), '--from-line', `${line}`];
  if (format !== undefined) words.push('--format', format);
  if (quiet) words.push('--quiet');
  if (json) words.push('--json');
  const instruction = file === '-' ? 'To continue, send the same input to' : 'To continue, run';
  return `${instruction}: ${words.join(' ')}`;
};

const shellQuote = (word: string): string =>
  /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
