import { metadataPrefix } from './columns.ts';
import { addQuantities, errorsText, type FileProduct } from './compare.ts';
import type { FieldError, ProductFields, ProductOptions } from './product.ts';
import type { FileRows, RejectedRow } from './records.ts';
import { createRowReader } from './rows.ts';
import { isMisread, ruinsIn } from './ruined-values.ts';

/** How many rows are read before other work may be done. */
const blockSize = 250;

/** What the column for the stock does: replaces a stock, adds to it, or nothing; undefined until a person has chosen. */
export type StockUse = 'replace' | 'add' | 'none' | undefined;

interface PlanSettings extends ProductOptions {
  /** The column of each header; undefined where it is left out. */
  readonly names: readonly (string | undefined)[];
  readonly stockUse: StockUse;
}

interface Dependencies {
  /** Lets other work be done between two blocks. */
  readonly pause: () => Promise<void>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

export interface PlannedProduct extends FileProduct {
  readonly line: number;
}

/** What is to be sent of a file. */
export interface Plan {
  /** By their SKUs. */
  readonly products: ReadonlyMap<string, PlannedProduct>;
  readonly rejected: readonly RejectedRow[];
  /** Rows whose SKU a row above has, which is in the line `before`. */
  readonly repeated: readonly RepeatedRow[];
  /** Rows of which a spreadsheet may have ruined the SKU or a number in metadata, and the first with misread letters. */
  readonly doubtful: readonly RejectedRow[];
}

export interface RepeatedRow {
  readonly line: number;
  readonly sku: string;
  readonly before: number;
}

const misreadReason =
  'has a name whose letters look as if they were read in the wrong encoding. Save the sheet as “CSV UTF-8”.';

/**
 * Reads all rows as products. Of several valid rows with one SKU, a field that comes again counts as the last row has it, and what
 * is added to the stock is summed.
 * @returns undefined when it was ended
 */
export const planImport = async (
  { header, rows, rejected: unreadable }: FileRows,
  { names, stockUse, ...options }: PlanSettings,
  { pause, signal }: Dependencies,
): Promise<Plan | undefined> => {
  const isRead = stockUse === 'replace' || stockUse === 'add';
  const used = names.map((name) => (name === 'stock' && !isRead ? undefined : name));
  const reader = createRowReader({ names: used, headers: header }, options);
  const products = new Map<string, PlannedProduct>();
  const rejected: RejectedRow[] = [...unreadable];
  const repeated: RepeatedRow[] = [];
  const doubtful: RejectedRow[] = [];
  let misread: RejectedRow | undefined;
  const cellNamed = (cells: readonly string[], name: string): string =>
    cells[names.indexOf(name)]?.trim() ?? '';
  for (const [index, { line, cells }] of rows.entries()) {
    if (index > 0 && index % blockSize === 0) {
      await pause();
      if (signal.aborted) return undefined;
    }
    const read = reader.read(cells);
    if (read === undefined || 'skipped' in read) continue;
    const reason = 'error' in read ? read.error : reasonOf(read.fields, read.errors);
    if ('error' in read || reason !== undefined || read.fields.sku === undefined) {
      rejected.push({ line, sku: cellNamed(cells, 'sku'), reason: reason ?? '' });
      continue;
    }
    const { sku: written, ...all } = read.fields;
    const sku = written.normalize('NFC');
    doubtful.push(...doubtsOf(sku, all).map((found) => ({ line, sku, reason: found })));
    if (misread === undefined && isMisread(all.name ?? '')) misread = { line, sku, reason: misreadReason };
    const { stock, ...others } = all;
    const product: PlannedProduct = {
      ...{ line, sku, fields: stockUse === 'add' ? others : all, priceCells: read.cells },
      added: stockUse === 'add' ? (stock ?? undefined) : undefined,
      undecided: stockUse === undefined ? cellNamed(cells, 'stock') : undefined,
    };
    const before = products.get(sku);
    if (before !== undefined) repeated.push({ line, sku, before: before.line });
    products.set(sku, before === undefined ? product : merged(before, product));
  }
  rejected.sort((one, other) => one.line - other.line);
  return { products, rejected, repeated, doubtful: misread ? [...doubtful, misread] : doubtful };
};

const reasonOf = ({ sku }: ProductFields, errors: readonly FieldError[]): string | undefined => {
  const reasons = [
    ...(sku === undefined ? ['has no article number (SKU)'] : []),
    ...(errors.length > 0 ? [errorsText(errors)] : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
};

const doubtsOf = (sku: string, { metadata }: ProductFields): readonly string[] =>
  ruinsIn(sku, metadata).map(({ column, value, text }) =>
    column === 'sku' ? `is ${text}` : `has ${value} as ${column.slice(metadataPrefix.length)}, ${text}`,
  );

/** A later row replaces only what it has: a price as a whole, and each text of the metadata. */
const merged = (before: PlannedProduct, later: PlannedProduct): PlannedProduct => {
  const metadata = { ...before.fields.metadata, ...later.fields.metadata };
  const fields = { ...before.fields, ...later.fields };
  return {
    ...later,
    fields: Object.keys(metadata).length === 0 ? fields : { ...fields, metadata },
    priceCells: later.fields.price === undefined ? before.priceCells : later.priceCells,
    added: later.added === undefined ? before.added : addQuantities(before.added ?? 0, later.added),
    undecided: later.undecided || before.undecided,
  };
};
