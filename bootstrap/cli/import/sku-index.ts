import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import type { ProductRow } from './product-rows.ts';

/**
 * Bits of the filter, 16 MiB: after a file of some million different SKUs most of them are free. More SKUs need more memory, but
 * the result stays exact.
 */
const filterBits = 2 ** 27;

/** Knows which fields of a row come again later in the file, for the same sku in whatever normal form. */
export interface SkuIndex {
  add(product: ImportedProduct, line: number): void;
  /** The fields that a later row has for the same sku. */
  laterFields(sku: string, line: number): ReadonlySet<string>;
}

/** A row whose sku came before, and its fields. Rows with the same fields share the list. */
interface Repetition {
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * The memory does not grow with the file: a filter remembers hashes of the SKUs, and only an SKU whose hash comes again is kept,
 * with its last rows.
 */
export const createSkuIndex = (): SkuIndex => {
  const filter = new Uint8Array(filterBits / 8);
  const repetitions = new Map<string, readonly Repetition[]>();
  const lists = new Map<string, readonly string[]>();
  const shared = (fields: readonly string[]): readonly string[] => {
    const name = fields.join('\n');
    const known = lists.get(name) ?? fields;
    lists.set(name, known);
    return known;
  };
  return {
    add: (product, line) => {
      const sku = product.sku.normalize('NFC');
      const bit = hashOf(sku);
      const [index, mask] = [bit >>> 3, 1 << (bit & 7)];
      const byte = filter[index] ?? 0;
      if ((byte & mask) === 0) {
        filter[index] = byte | mask;
        return;
      }
      const last = { line, fields: shared(fieldsOf(product)) };
      const earlier = repetitions.get(sku);
      // A copy, because a part of a longer text would keep that text in memory.
      const key = earlier === undefined ? Buffer.from(sku).toString() : sku;
      repetitions.set(key, [...(earlier ?? []).filter((one) => !covers(last, one)), last]);
    },
    laterFields: (sku, line) => {
      const later = repetitions.get(sku.normalize('NFC'))?.filter((one) => one.line > line);
      return later === undefined ? none : new Set(later.flatMap(({ fields }) => fields));
    },
  };
};

const none: ReadonlySet<string> = new Set();

const covers = (later: Repetition, earlier: Repetition): boolean =>
  later.fields === earlier.fields || earlier.fields.every((field) => later.fields.includes(field));

/** The fields of a product besides its sku, with those of a price and of metadata apart. */
const fieldsOf = ({
  sku: _,
  ifNew: __,
  defaults: ___,
  keepsSold: ____,
  price,
  metadata,
  ...fields
}: ImportedProduct): readonly string[] => [
  ...Object.keys(fields),
  ...Object.keys(price ?? {}).map((name) => `price.${name}`),
  ...Object.keys(metadata ?? {}).map((name) => `metadata.${name}`),
];

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

/**
 * Skips each row whose fields all come again later, so that the last one is the only one that is written. Of another one the
 * fields that come again are for a new product alone, so that importing the file again changes nothing.
 */
export async function* withoutReplaced(
  rows: AsyncIterable<ProductRow>,
  index: SkuIndex,
): AsyncGenerator<ProductRow, void, undefined> {
  for await (const row of rows) {
    const { content } = row;
    const later = 'value' in content ? index.laterFields(content.value.sku, row.line) : none;
    if (!('value' in content) || later.size === 0) yield row;
    else if (fieldsOf(content.value).every((field) => later.has(field))) yield { ...row, content: replaced };
    else yield { ...row, content: { value: withoutFields(content.value, later) } };
  }
}

const withoutFields = (product: ImportedProduct, later: ReadonlySet<string>): ImportedProduct => {
  const { sku, ifNew: _, defaults, keepsSold, ...given } = product;
  const { price = {}, metadata = {}, ...fields } = given;
  const rest = <T extends object>(object: T, prefix: string) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !later.has(prefix + name))) as T;
  return {
    ...{ sku, ifNew: given, ...(defaults && { defaults }), ...(keepsSold && { keepsSold }) },
    ...rest(fields, ''),
    price: rest(price, 'price.'),
    metadata: rest(metadata, 'metadata.'),
  };
};
