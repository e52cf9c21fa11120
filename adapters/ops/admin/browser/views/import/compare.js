import { emptiedBy, reasonOfEmptied } from './emptied.ts';
import { productOf } from './products.js';

/** Only one product cannot be imported. */
export class RejectedError extends Error {
  /** Fields that an empty cell would empty, where that is not allowed. */
  emptied = [];
}

/**
 * What a line changes of a product that exists.
 * @param existing as the API returns it; a price without a currency is in the one that it has
 * @returns the body of a PATCH, which is empty when nothing changes
 * @throws RejectedError for a price that is none in the product's currency
 */
export const changesOf = ({ texts }, existing, { sign }) => {
  const { fields, errors } = productOf(texts, { currency: existing.price.currency, sign });
  if (errors.length > 0) throw new RejectedError(errors.join('; '));
  const { metadata = {}, ...others } = fields;
  const changed = Object.entries(others).filter(([name, value]) => !isSame(value, existing[name]));
  const own = Object.entries(metadata).filter(([name, text]) => text !== (existing.metadata[name] ?? null));
  return { ...Object.fromEntries(changed), ...(own.length > 0 && { metadata: Object.fromEntries(own) }) };
};

/** @throws RejectedError for changes that empty what decides how a product is sold, unless that is allowed */
export const requireAllowed = (changes, existing, { allowUncounted }) => {
  const emptied = emptiedBy(changes, existing);
  if (emptied.length > 0 && !allowUncounted)
    throw Object.assign(new RejectedError(reasonOfEmptied(emptied, existing)), { emptied });
  return emptied;
};

const isSame = (one, other) =>
  one !== null && typeof one === 'object' && !Array.isArray(one)
    ? Object.keys(one).every((name) => one[name] === other?.[name])
    : JSON.stringify(one) === JSON.stringify(other);

/** @returns why a line cannot be a new product; undefined when it can */
export const missingOfNew = ({ fields: { name, price } }) => {
  const missing = [name === undefined && 'a name', price === undefined && 'a price'].filter(Boolean);
  return missing.length === 0 ? undefined : `a new product needs ${missing.join(' and ')}`;
};

/**
 * What a line will do, as far as the shop is known.
 * @param existing null for a product that is new
 * @param isAddedBefore whether this file has added to its stock before
 * @returns `kind`: `new`, `changed`, `unchanged`, `undecided`, or `rejected` with its `reason`; and of one that exists the `changes`, with the stock as it will be,
 * and the fields that are `emptied`, or would be
 */
export const compare = (product, { existing, isAddedBefore }, options) => {
  if (existing === null) {
    const reason = missingOfNew(product);
    return reason === undefined ? { kind: 'new' } : { kind: 'rejected', reason };
  }
  try {
    const changes = changesOf(product, existing, options);
    const emptied = requireAllowed(changes, existing, options);
    if (product.added > 0 && !isAddedBefore)
      changes.stock = addQuantities(stockToAddTo(existing), product.added);
    const unchanged = product.undecided ? 'undecided' : 'unchanged';
    const kind = Object.keys(changes).length === 0 ? unchanged : 'changed';
    return { kind, changes, existing, isAddedBefore, emptied };
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    return { kind: 'rejected', reason: error.message, changes: {}, existing, emptied: error.emptied };
  }
};

/** @throws RejectedError when there is no stock to which something could be added */
export const stockToAddTo = ({ stock }) => {
  if (stock === null) throw new RejectedError('its stock is not counted, so nothing can be added to it');
  return stock;
};

/** Adds quantities, which have up to three decimals. */
export const addQuantities = (one, other) => (Math.round(one * 1000) + Math.round(other * 1000)) / 1000;
