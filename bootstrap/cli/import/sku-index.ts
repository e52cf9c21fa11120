import type { ProductRow } from './product-rows.ts';

/**
 * Bits of the filter, 16 MiB: a file of some million different SKUs leaves most of them free. More SKUs need more memory, but
 * the result stays exact.
 */
const filterBits = 2 ** 27;

/** Knows the rows whose sku comes again later in the file, in whatever normal form. */
export interface SkuIndex {
  add(sku: string, line: number): void;
  /** Whether a later row has the same sku. */
  isReplaced(sku: string, line: number): boolean;
}

/**
 * The memory does not grow with the file: a filter remembers hashes of the SKUs, and only an SKU whose hash comes again is kept,
 * with its last line.
 */
export const createSkuIndex = (): SkuIndex => {
  const filter = new Uint8Array(filterBits / 8);
  const lastLines = new Map<string, number>();
  return {
    add: (written, line) => {
      const sku = written.normalize('NFC');
      const bit = hashOf(sku);
      const [index, mask] = [bit >>> 3, 1 << (bit & 7)];
      const byte = filter[index] ?? 0;
      if ((byte & mask) === 0) filter[index] = byte | mask;
      // A copy, because a part of a longer text would keep that text in memory.
      else lastLines.set(lastLines.has(sku) ? sku : Buffer.from(sku).toString(), line);
    },
    isReplaced: (sku, line) => (lastLines.get(sku.normalize('NFC')) ?? 0) > line,
  };
};

/** FNV-1a with a final mix, over UTF-16 code units. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) & (filterBits - 1);
};

const replaced = { skipped: 'a later row has the same sku' };

/** Skips each row whose sku comes again later, so that the last one is the only one that is written. */
export async function* withoutReplaced(
  rows: AsyncIterable<ProductRow>,
  index: SkuIndex,
): AsyncGenerator<ProductRow, void, undefined> {
  for await (const row of rows) {
    const { content } = row;
    const isReplaced = 'value' in content && index.isReplaced(content.value.sku, row.line);
    yield isReplaced ? { ...row, content: replaced } : row;
  }
}
