import { MalformedFileError } from '#adapters/files/rows.ts';
import type { Application } from '#application/application.ts';
import {
  findImported,
  type ImportedProduct,
  type ImportResult,
} from '#application/use-cases/product-import.ts';
import { type EmptiedCounts, sumOfEmptied } from '#domain/emptied-fields.ts';
import type { DomainError } from '#domain/errors.ts';
import { domainErrorMessage, fieldErrorsText, truncateReason } from '../error-messages.ts';
import { columnOf } from './emptied-text.ts';
import type { Explain, ProductRow } from './product-rows.ts';
import { findShortened } from './shortened-skus.ts';
import { retryWhileUnavailable, upsertWithFallback } from './upsert-with-fallback.ts';

/** Bounds one unit of work: large enough to be fast, small enough not to block a server on the same database. */
const maxBatch = { rows: 500, bytes: 1024 * 1024 };

/** Rows of a file that are imported in one unit of work, and the rejected lines between them. */
export interface Batch {
  readonly rows: readonly BatchRow[];
  readonly rejected: readonly RejectedLine[];
  readonly skipped: Skipped;
  /** All lines up to this one have been read. */
  readonly lastLine: number;
}

interface BatchRow {
  readonly line: number;
  readonly product: ImportedProduct;
  readonly explain: Explain | undefined;
}

export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

/** Rows that are no products, by the reason: how many, and the line of the first. */
export type Skipped = ReadonlyMap<string, { readonly count: number; readonly line: number }>;

/**
 * Groups rows into batches. Rows with the same sku go into different batches, so that the later one wins. The rows before a
 * broken one are yielded before its error is thrown.
 * @param fromLine rows before this line are skipped
 */
export async function* batchesOf(
  rows: AsyncIterable<ProductRow>,
  fromLine: number,
): AsyncGenerator<Batch, void, undefined> {
  let batch = emptyBatch();
  try {
    for await (const { line, lastLine, size, content, explain } of rows) {
      if (line < fromLine) continue;
      const isFull =
        batch.skus.size + batch.rejected.length >= maxBatch.rows || batch.bytes + size > maxBatch.bytes;
      const isRepeated = 'value' in content && batch.skus.has(content.value.sku.normalize('NFC'));
      if ((isFull || isRepeated) && batch.bytes > 0) {
        yield batch;
        batch = emptyBatch();
      }
      batch.lastLine = lastLine;
      batch.bytes += size;
      if ('skipped' in content)
        batch.skipped = withSkipped(batch.skipped, content.skipped, { count: 1, line });
      else if ('error' in content) batch.rejected.push({ line, reason: content.error });
      else {
        batch.skus.add(content.value.sku.normalize('NFC'));
        batch.rows.push({ line, product: content.value, explain });
      }
    }
  } catch (error) {
    if (error instanceof MalformedFileError && batch.bytes > 0) yield batch;
    throw error;
  }
  if (batch.bytes > 0) yield batch;
}

const emptyBatch = () => ({
  rows: [] as BatchRow[],
  rejected: [] as RejectedLine[],
  skipped: new Map() as Skipped,
  skus: new Set<string>(),
  lastLine: 0,
  bytes: 0,
});

const withSkipped = (
  skipped: Skipped,
  reason: string,
  { count, line }: { readonly count: number; readonly line: number },
): Skipped => {
  const before = skipped.get(reason) ?? { count: 0, line };
  return new Map([...skipped, [reason, { count: before.count + count, line: before.line }]]);
};

/** The result of an import so far. Everything counted here is committed. */
export interface ImportTotals {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly skipped: Skipped;
  /** Products of which a field that changes what is sold was emptied, or kept because that is not allowed. */
  readonly emptied: EmptiedCounts;
  /** At most `maxReportedLines`. */
  readonly firstRejected: readonly RejectedLine[];
  /** All lines up to this one are done. */
  readonly upToLine: number;
}

export const emptyTotals = (fromLine: number): ImportTotals => ({
  ...{ added: 0, updated: 0, unchanged: 0, rejected: 0 },
  skipped: new Map(),
  emptied: {},
  firstRejected: [],
  upToLine: fromLine - 1,
});

/** Bounds the summary of an import. */
const maxReportedLines = 1_000;

/** @returns what becomes of the products, and what the rules reject */
export type BatchSink = (products: readonly ImportedProduct[]) => Promise<SinkResult>;

interface SinkResult extends ImportResult {
  /** Stored SKUs that differ from those of new products only by zeros at the front, by the new ones. */
  readonly shortened: ReadonlyMap<string, string>;
}

/** Writes to the store. */
export const storeSink =
  (application: Application): BatchSink =>
  async (products) => {
    const shortened = await findShortened(products, (list) =>
      retryWhileUnavailable(() => application.unitOfWork.read(findImported(list))),
    );
    const result = await upsertWithFallback(application, products, application.useCases.products.upsert);
    return { ...result, shortened };
  };

/** @param shortened the stored SKU that the product's is without its zeros */
export type Inspect = (line: number, product: ImportedProduct, shortened: string | undefined) => void;

/**
 * Imports a batch.
 * @param report called for each rejected line, after the other lines of the batch are committed
 * @param inspect called for each product
 * @returns the new totals
 */
export const importBatch = async (
  sink: BatchSink,
  batch: Batch,
  before: ImportTotals,
  report: (line: RejectedLine) => Promise<void>,
  inspect: Inspect,
): Promise<ImportTotals> => {
  const result = await sink(batch.rows.map(({ product }) => product));
  for (const { line, product } of batch.rows) inspect(line, product, result.shortened.get(product.sku));
  const rejectedByRules = batch.rows.flatMap(({ line, product: { sku }, explain }) => {
    const error = result.rejected.get(sku);
    return error === undefined ? [] : [{ line, reason: reasonOf(error, explain) }];
  });
  const rejected = [...batch.rejected, ...rejectedByRules].sort((one, other) => one.line - other.line);
  for (const line of rejected) await report(line);
  let { skipped } = before;
  for (const [reason, lines] of batch.skipped) skipped = withSkipped(skipped, reason, lines);
  return {
    added: before.added + result.added,
    updated: before.updated + result.updated,
    unchanged: before.unchanged + result.unchanged,
    rejected: before.rejected + rejected.length,
    skipped,
    emptied: sumOfEmptied(before.emptied, result.emptied),
    firstRejected: [...before.firstRejected, ...rejected].slice(0, maxReportedLines),
    upToLine: batch.lastLine,
  };
};

const reasonOf = (error: DomainError, explain: Explain = (one) => one): string =>
  error.kind === 'validation'
    ? fieldErrorsText(error.fieldErrors.map((one) => explain({ ...one, field: columnOf(one.field) })))
    : truncateReason(domainErrorMessage(error));
