import { type EmptiedField, emptiedBy, emptiedReason } from './emptied.ts';
import {
  type Cells,
  type FieldError,
  type ProductFields,
  type ProductOptions,
  readPrice,
} from './product.ts';

/** A product as the API returns it. */
export interface StoredProduct {
  readonly name: string;
  readonly price: { readonly amount: number; readonly currency: string };
  readonly stock: number | null;
  readonly quantity_step: number | null;
  readonly tax_rate: number | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A product of a file. */
export interface FileProduct {
  readonly sku: string;
  readonly fields: ProductFields;
  /** Of the price, which is read again in the currency of a product that exists. */
  readonly priceCells: Cells;
  /** What is added to the stock. */
  readonly added?: number | undefined;
  /** A stock of which is unknown what it does. */
  readonly undecided?: string | undefined;
}

export interface CompareOptions extends ProductOptions {
  /** Whether empty cells may empty what decides how a product is sold. */
  readonly allowUncounted?: boolean;
}

/** Only one product cannot be imported. */
export class RejectedError extends Error {
  /** Fields that an empty cell would empty, where that is not allowed. */
  readonly emptied: readonly EmptiedField[];

  constructor(message: string, emptied: readonly EmptiedField[] = []) {
    super(message);
    this.name = 'RejectedError';
    this.emptied = emptied;
  }
}

/** What a product of a file changes of one that exists. */
interface Changes {
  /** The body of a PATCH, empty when nothing changes. */
  readonly changes: ProductFields;
  readonly emptied: readonly EmptiedField[];
}

/**
 * Compares a product of a file with the one that exists. A price without a currency is in the currency that the product has.
 * @throws RejectedError for a price that is none in that currency, and for changes that would empty what decides how the product
 *   is sold, unless that is allowed
 */
export const changesOf = (
  { fields, priceCells }: FileProduct,
  existing: StoredProduct,
  options: CompareOptions,
): Changes => {
  const reading = readPrice(priceCells, { ...options, currency: existing.price.currency });
  if (reading !== undefined && 'errors' in reading) throw new RejectedError(errorsText(reading.errors));
  const price = reading && { ...existing.price, ...reading.value };
  const { metadata = {}, ...others } = { ...fields, ...(price && { price }) };
  const stored = new Map<string, unknown>(Object.entries(existing));
  const changed = Object.entries(others).filter(([name, value]) => !isSame(value, stored.get(name)));
  const texts = Object.entries(metadata).filter(
    ([name, text]) => text !== (Object.hasOwn(existing.metadata, name) ? existing.metadata[name] : null),
  );
  const changes: ProductFields = {
    ...Object.fromEntries(changed),
    ...(texts.length > 0 && { metadata: Object.fromEntries(texts) }),
  };
  requireEnds({ name: changes.name });
  const emptied = emptiedBy(changes, existing);
  if (emptied.length > 0 && options.allowUncounted !== true)
    throw new RejectedError(emptiedReason(emptied, existing), emptied);
  return { changes, emptied };
};

/** Names the fields of errors as people do: a price is one field. */
export const errorsText = (errors: readonly FieldError[]): string =>
  errors
    .map(
      ({ field, message }) =>
        `${field.replace('price.currency', 'currency').replace('.amount', '')} ${message}`,
    )
    .join('; ');

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

/** A price has its parts in any order. */
const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    : value;

/** What a new product has. */
interface NewProduct extends ProductFields {
  readonly name: string;
  readonly price: StoredProduct['price'];
}

/** @returns the fields of a product that can be a new one @throws RejectedError for any other */
export const requireNew = ({ sku, fields }: FileProduct): NewProduct => {
  const { name, price: { amount, currency } = {} } = fields;
  if (name === undefined || amount === undefined || currency === undefined) {
    const missing = [
      ...(name === undefined ? ['a name'] : []),
      ...(amount === undefined || currency === undefined ? ['a price'] : []),
    ];
    throw new RejectedError(`a new product needs ${missing.join(' and ')}`);
  }
  requireEnds({ sku, name });
  return { ...fields, name, price: { amount, currency } };
};

/** The API rejects them unless the product has just that stored, but a line is named before it is sent. */
const requireEnds = (texts: Readonly<Record<string, string | undefined>>): void => {
  const errors = Object.entries(texts)
    .filter(([, text = '']) => text !== text.trim())
    .map(([field]) => ({ field, message: 'must not begin or end with a space' }));
  if (errors.length > 0) throw new RejectedError(errorsText(errors));
};

/** What a line will do. `emptied` are the fields that empty cells empty, or would. */
export type Outcome<Stored extends StoredProduct> = Partial<Changes> & {
  readonly existing?: Stored;
  readonly isAddedBefore?: boolean;
} & (
    | { readonly kind: 'new' | 'changed' | 'unchanged' | 'undecided' }
    | { readonly kind: 'rejected'; readonly reason: string }
  );

/**
 * What a line will do, as far as the shop is known.
 * @param known `existing` is null for a product that is new; `isAddedBefore` is whether this file has added to its stock before
 * @returns of a product that exists the changes, with the stock as it will be
 */
export const compare = <Stored extends StoredProduct>(
  product: FileProduct,
  known: { readonly existing: Stored | null; readonly isAddedBefore?: boolean | undefined },
  options: CompareOptions,
): Outcome<Stored> => {
  const { existing, isAddedBefore = false } = known;
  try {
    if (existing === null) {
      requireNew(product);
      return { kind: 'new' };
    }
    const { changes: own, emptied } = changesOf(product, existing, options);
    const { added = 0, undecided } = product;
    const isAdded = added > 0 && !isAddedBefore;
    const changes = isAdded ? { ...own, stock: addQuantities(stockToAddTo(existing), added) } : own;
    const kind = Object.keys(changes).length > 0 ? 'changed' : undecided ? 'undecided' : 'unchanged';
    return { kind, changes, existing, isAddedBefore, emptied };
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    const { message: reason, emptied } = error;
    if (existing === null) return { kind: 'rejected', reason };
    return { kind: 'rejected', reason, changes: {}, existing, emptied };
  }
};

/** @throws RejectedError when there is no stock to which something could be added */
export const stockToAddTo = ({ stock }: StoredProduct): number => {
  if (stock === null) throw new RejectedError('its stock is not counted, so nothing can be added to it');
  return stock;
};

/** Adds quantities, which have up to three decimals. */
export const addQuantities = (one: number, other: number): number =>
  (Math.round(one * 1000) + Math.round(other * 1000)) / 1000;
