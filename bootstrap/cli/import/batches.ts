import type { Row } from '#adapters/files/parsed-row.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';

/** As much as goes into one unit of work: enough to be quick, and little enough that others get their turn. */
const maxBatch = { rows: 500, bytes: 1024 * 1024 };

/** Some rows of a file that are brought in together, and why others among them are not. */
export interface Batch {
  readonly rows: readonly { readonly line: number; readonly product: ImportedProduct }[];
  readonly rejected: readonly RejectedLine[];
  /** Everything up to this line has been read. */
  readonly lastLine: number;
  /** How many bytes they are. */
  readonly bytes: number;
}

export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

/**
 * The rows from a line on, in batches. No sku is in one of them twice: of two rows with the same sku the later one comes
 * later, and wins.
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
    if ('fault' in content) batch.rejected.push({ line, reason: content.fault });
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
