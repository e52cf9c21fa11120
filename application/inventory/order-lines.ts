import { DomainError, type FieldError, invalidFields } from '#domain/errors.ts';
import type { Instant } from '#domain/instant.ts';
import { type OrderId, OrderItem } from '#domain/order.ts';
import { outOfStock, Product, type ProductId, productUnavailable } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { NewId } from '../ports/system.ts';
import { productNotFound } from '../preconditions.ts';

/** A product, and how much of it is ordered. */
export interface OrderLine {
  readonly productId: ProductId;
  readonly quantity: Quantity;
}

/** What an order is placed with: one product, or items of which errors name each that is concerned. */
export type OrderedLines = OrderLine | { readonly items: readonly OrderLine[] };

/** A line with its product, as it was found last. */
interface ProductLine extends OrderLine {
  readonly product: Product;
}

/** The lines of an order, in whichever form they are given. A product may have several. */
export const linesOf = (ordered: OrderedLines): readonly OrderLine[] =>
  'items' in ordered ? ordered.items : [ordered];

/** The products of the lines, each once. */
export const productIdsOf = (ordered: OrderedLines): readonly ProductId[] => [
  ...new Set(linesOf(ordered).map(({ productId }) => productId)),
];

/** @throws DomainError 'product-not-found' with every line whose product is not among those that were found */
export const withProducts = (ordered: OrderedLines, found: readonly Product[]): readonly ProductLine[] => {
  const byId = new Map(found.map((product) => [product.id, product]));
  const lines = linesOf(ordered);
  requireEach(
    ordered,
    lines,
    ({ productId }) => byId.has(productId),
    productNotFound,
    () => 'does not exist',
  );
  return lines.flatMap((line) => {
    const product = byId.get(line.productId);
    return product === undefined ? [] : { ...line, product };
  });
};

/**
 * Reserves stock for all lines together, or for none. Only counted products are locked, so that concurrent orders of uncounted ones
 * do not wait for each other.
 * @param found the products as they were read without a lock; they may have changed since
 * @returns the lines with the products as they were ordered
 * @throws DomainError 'product-not-found', else 'product-unavailable', else 'validation' for quantities that are no multiples of their
 *   product's step, else 'out-of-stock', with every line concerned
 */
export const reserveLines = async (
  products: Repositories['products'],
  ordered: OrderedLines,
  found: readonly Product[],
  at: Instant,
): Promise<readonly ProductLine[]> => {
  const counted = found.filter(({ stock }) => stock !== null).map(({ id }) => id);
  const locked = await products.lockBy('id', counted);
  const lines = withProducts(ordered, [...found.filter(({ stock }) => stock === null), ...locked]);
  const sums = new Map<ProductId, Quantity>();
  for (const { productId, quantity } of lines)
    sums.set(productId, Quantity.plus(sums.get(productId) ?? Quantity.zero, quantity));
  const sumOf = ({ id }: Product): Quantity => sums.get(id) ?? Quantity.zero;
  const isAvailable = ({ product }: ProductLine) => Product.isAvailable(product);
  const isInStock = ({ product }: ProductLine) => Product.hasInStock(product, sumOf(product));
  requireEach(ordered, lines, isAvailable, productUnavailable, () => 'cannot be ordered now');
  requireMultiples(ordered, lines);
  requireEach(ordered, lines, isInStock, outOfStock, insufficientStock);
  const reserved = locked.map((product) => Product.reserve(product, sumOf(product), at));
  await products.saveAll(reserved.filter((after, index) => after !== locked[index]));
  return lines;
};

/**
 * Makes the items of an order. Their ids ascend in the order of the lines.
 * @throws DomainError 'validation' on the quantity of the first line whose total exceeds the maximum amount
 */
export const itemsOf = (
  ordered: OrderedLines,
  lines: readonly ProductLine[],
  orderId: OrderId,
  newId: NewId,
  at: Instant,
): readonly OrderItem[] =>
  lines.map(({ product, quantity }, index) => {
    try {
      return OrderItem.of(newId(), orderId, product, quantity, at);
    } catch (error) {
      if (!('items' in ordered && error instanceof DomainError)) throw error;
      const fields = error.fieldErrors.map(({ field, message }) => ({
        field: fieldOf(index, field),
        message,
      }));
      throw new DomainError(error.kind, error.message, fields);
    }
  });

const insufficientStock = ({ product: { stock } }: ProductLine): string =>
  `is not in stock in this quantity: ${Quantity.toNumber(stock ?? Quantity.zero)} is left`;

/** Each line by itself: those of a product are not joined. @throws DomainError 'validation' on the quantity of every line concerned */
const requireMultiples = (ordered: OrderedLines, lines: readonly ProductLine[]): void => {
  const fields = lines.flatMap(({ product, quantity }, index): readonly FieldError[] => {
    const message = Product.quantityViolation(product, quantity);
    if (message === undefined) return [];
    return [{ field: 'items' in ordered ? fieldOf(index, 'quantity') : 'quantity', message }];
  });
  if (fields.length > 0) throw invalidFields(fields);
};

const fieldOf = (index: number, field: string): string => `items.${index}.${field}`;

/** @throws the error, with the product of every line that does not meet a condition; of a single product it names no field */
const requireEach = <L extends OrderLine>(
  ordered: OrderedLines,
  lines: readonly L[],
  isMet: (line: L) => boolean,
  error: (fields: readonly FieldError[]) => DomainError,
  messageOf: (line: L) => string,
): void => {
  if (lines.every(isMet)) return;
  const fields = lines.flatMap((line, index) =>
    isMet(line) ? [] : { field: fieldOf(index, 'productId'), message: messageOf(line) },
  );
  throw error('items' in ordered ? fields : []);
};
