import { MalformedFileError } from '#adapters/files/rows.ts';
import { presets } from '#adapters/product-files/presets.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { Product } from '#domain/product.ts';
import { violations } from '#domain/rule.ts';
import { printError } from '../error-messages.ts';
import { type ExitCode, exitCodeForSignal, exitCodes, UsageError } from '../framework/exit-codes.ts';
import type { Progress } from '../framework/progress.ts';
import type { Terminal } from '../framework/terminal.ts';
import { type ImportArguments, resumeHint } from './arguments.ts';
import { type BatchSink, batchesOf, emptyTotals, type ImportTotals, importBatch } from './batches.ts';
import { createDoubtfulValues } from './doubtful-values.ts';
import type { Input } from './input.ts';
import { type Format, type ProductRow, productRows, type RowOptions } from './product-rows.ts';
import { createSkuIndex, type SkuIndex, withoutReplaced } from './sku-index.ts';

export interface Job {
  readonly arguments: ImportArguments;
  readonly input: Input;
  readonly format: Format;
  readonly fromLine: number;
  readonly terminal: Terminal;
  readonly progress: Progress;
}

/** What an import reports in the end. */
export interface ImportReport {
  readonly totals: ImportTotals;
  /** Columns of the file that are left out. */
  readonly ignored: readonly string[];
  /** What a person should check, a line each. */
  readonly warnings: readonly string[];
  /** Whether the file was read to its end. */
  readonly done: boolean;
}

/** Metadata are checked once they are merged. */
const isWithinRules = ({ metadata: _, ...product }: ImportedProduct): boolean =>
  violations<Omit<ImportedProduct, 'metadata'>>(Product.rules, product).length === 0;

/**
 * Reads the whole file once, before anything is written, for the SKUs that come again.
 * @throws UsageError for a header that cannot be used
 */
export const indexSkus = async (job: Job): Promise<SkuIndex> => {
  const index = createSkuIndex();
  const { share, rows } = openRows(job, () => undefined);
  let done = 0;
  try {
    for await (const { line, content } of rows) {
      // A row that may be rejected replaces no other.
      if ('value' in content && isWithinRules(content.value)) index.add(content.value, line);
      done += 1;
      job.progress.update({ done, share: share(), unit: 'rows checked' });
    }
  } catch (error) {
    // The import ends there, too, and reports it after the rows before.
    if (!(error instanceof MalformedFileError || job.terminal.interruptSignal().aborted)) throw error;
  } finally {
    job.progress.end();
  }
  return index;
};

/**
 * Imports the rows of a file into a sink. Rows before a place where the file is broken are imported, too.
 * @param print prints the summary
 * @throws what stopped the import before its first line
 */
export const runImport = async (
  job: Job,
  skus: SkuIndex,
  sink: BatchSink,
  print: (report: ImportReport) => Promise<void>,
): Promise<ExitCode> => {
  const { terminal, progress, fromLine } = job;
  const interrupt = terminal.interruptSignal();
  let totals = emptyTotals(fromLine);
  let ignored: readonly string[] = [];
  let notes: () => readonly string[] = () => [];
  const doubtful = createDoubtfulValues();
  const reportOf = (done: boolean): ImportReport => ({
    ...{ totals, ignored, done },
    warnings: [...notes(), ...doubtful.warnings()],
  });
  const stopped = async (code: ExitCode): Promise<ExitCode> => {
    await terminal.notify(resumeHint(totals.upToLine + 1, job.arguments));
    return code;
  };
  try {
    const { share, rows } = openRows(job, (columns, warnings) => {
      [ignored, notes] = [columns, warnings];
    });
    let skippedShare: number | undefined;
    for await (const batch of batchesOf(withoutReplaced(rows, skus), fromLine)) {
      skippedShare ??= fromLine === 1 ? 0 : share();
      totals = await importBatch(
        sink,
        batch,
        totals,
        ({ line, reason }) => terminal.notify(`line ${line}: ${reason}`),
        doubtful.inspect,
      );
      progress.update({
        done: totals.added + totals.updated + totals.unchanged,
        share: share(),
        skippedShare,
        unit: `products, up to line ${totals.upToLine}`,
      });
      if (interrupt.aborted) break;
    }
  } catch (error) {
    if (!interrupt.aborted) {
      progress.end();
      const hasRead = totals.upToLine >= fromLine;
      if (error instanceof UsageError || !(hasRead || job.arguments.json)) throw error;
      await print(reportOf(false));
      await printError(error, terminal);
      return hasRead ? stopped(exitCodes.failure) : exitCodes.failure;
    }
  } finally {
    progress.end();
  }
  await print(reportOf(!interrupt.aborted));
  if (interrupt.aborted) return stopped(exitCodeForSignal(interrupt));
  return totals.rejected > 0 ? exitCodes.partial : exitCodes.success;
};

const openRows = (
  { input, format, arguments: values }: Job,
  onHeader: NonNullable<RowOptions['onHeader']>,
): { readonly share: () => number; readonly rows: AsyncGenerator<ProductRow, void, undefined> } => {
  const { chunks, share } = input.read();
  const { preset, map, ...options } = values;
  const rows = productRows(chunks, format, {
    ...options,
    preset: preset && presets[preset],
    renames: map,
    onHeader,
  });
  return { share, rows };
};
