import type { Row } from '#adapters/files/rows.ts';
import type { Application } from '#application/application.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { domainErrorMessage, truncateReason } from '../error-messages.ts';
import { upsertWithFallback } from './upsert-with-fallback.ts';

/** Bounds one unit of work: large enough to be fast, small enough not to block a server on the same database. */
const maxBatch = { rows: 500, bytes: 1024 * 1024 };

/** Rows of a file that are imported in one unit of work, and the rejected lines between them. */
export interface Batch {
  readonly rows: readonly { readonly line: number; readonly product: ImportedProduct }[];
  readonly rejected: readonly RejectedLine[];
  /** All lines up to this one have been read. */
  readonly lastLine: number;
}

export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

/**
 * Groups rows into batches. Rows with the same sku go into different batches, so that the later one wins.
 * @param fromLine rows before this line are skipped
 */
export async function* batchesOf(
  rows: AsyncIterable<Row<ImportedProduct>>,
  fromLine: number,
): AsyncGenerator<Batch, void, undefined> {
  let batch = emptyBatch();
  for await (const { line, lastLine, size, content } of rows) {
    if (line < fromLine) continue;
    const isFull =
      batch.skus.size + batch.rejected.length >= maxBatch.rows || batch.bytes + size > maxBatch.bytes;
    const isRepeated = 'value' in content && batch.skus.has(content.value.sku);
    if ((isFull || isRepeated) && batch.bytes > 0) {
      yield batch;
      batch = emptyBatch();
    }
    batch.lastLine = lastLine;
    batch.bytes += size;
    if ('error' in content) batch.rejected.push({ line, reason: content.error });
    else {
      batch.skus.add(content.value.sku);
      batch.rows.push({ line, product: content.value });
    }
  }
  if (batch.bytes > 0) yield batch;
}

const emptyBatch = () => ({
  rows: [] as { line: number; product: ImportedProduct }[],
  rejected: [] as RejectedLine[],
  skus: new Set<string>(),
  lastLine: 0,
  bytes: 0,
});

/** The result of an import so far. Everything counted here is committed. */
export interface ImportTotals {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** At most `maxReportedLines`. */
  readonly firstRejected: readonly RejectedLine[];
  /** All lines up to this one are done. */
  readonly upToLine: number;
}

export const emptyTotals = (fromLine: number): ImportTotals => ({
  ...{ added: 0, updated: 0, unchanged: 0, rejected: 0 },
  firstRejected: [],
  upToLine: fromLine - 1,
});

/** Bounds the summary of an import. */
const maxReportedLines = 1_000;

/**
 * Imports a batch.
 * @param report called for each rejected line, after the other lines of the batch are committed
 * @returns the new totals
 */
export const importBatch = async (
  application: Application,
  batch: Batch,
  before: ImportTotals,
  report: (line: RejectedLine) => Promise<void>,
): Promise<ImportTotals> => {
  const products = batch.rows.map(({ product }) => product);
  const result = await upsertWithFallback(application, products, application.useCases.products.upsert);
  const rejectedByRules = batch.rows.flatMap(({ line, product: { sku } }) => {
    const error = result.rejected.get(sku);
    return error === undefined ? [] : [{ line, reason: truncateReason(domainErrorMessage(error)) }];
  });
  const rejected = [...batch.rejected, ...rejectedByRules].sort((one, other) => one.line - other.line);
  for (const line of rejected) await report(line);
  return {
    added: before.added + result.added,
    updated: before.updated + result.updated,
    unchanged: before.unchanged + result.unchanged,
    rejected: before.rejected + rejected.length,
    firstRejected: [...before.firstRejected, ...rejected].slice(0, maxReportedLines),
    upToLine: batch.lastLine,
  };
};
