import type { ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Operation } from '../client.ts';
import type { Stocked } from '../shop.ts';
import { buyerOf, quantityOfBuyer } from '../stories/stories.ts';
import type { Found, Problems } from './judgement.ts';

/** Compares what is left of each product with what was there, what staff have changed, and what orders hold. */
export function* judgeStock(
  found: Found,
  before: readonly Stocked[],
  operations: readonly Operation[],
): Problems {
  for (const one of before) yield* judgeSum(found, one);
  yield* judgeBuyers(found, operations);
  yield* judgeChanges(found, operations);
}

/** What is left and what is in orders that stand is what there was, and what was added since. */
function* judgeSum({ orders, items, products, stockChanges }: Found, before: Stocked): Problems {
  const left = products.find(({ id }) => id === before.id)?.stock ?? null;
  if (left === null || left < 0) {
    yield `There are ${left} left.`;
    return;
  }
  const isOfProduct = ({ productId }: { readonly productId: ProductId }): boolean => productId === before.id;
  const standing = new Set(
    orders.filter(({ status }) => status !== 'canceled' && status !== 'refunded').map(({ id }) => id),
  );
  const held = items.filter(isOfProduct).filter(({ orderId }) => standing.has(orderId));
  const taken = sumOf(held.map(({ quantity }) => quantity));
  const added = sumOf(stockChanges.filter(isOfProduct).map(({ change }) => change));
  if (left + taken !== Quantity.of(before.stock) + added) {
    const [there, inOrders, since] = [left, taken, added].map(Quantity.toNumber);
    yield `Of ${before.stock} and ${since} added there are ${there} left and ${inOrders} taken.`;
  }
}

const sumOf = (quantities: readonly Quantity[]): Quantity =>
  quantities.reduce((sum, quantity) => Quantity.plus(sum, quantity), Quantity.zero);

/** One order for each key, until the key expires, with all of its items. */
function* judgeBuyers({ orders, items }: Found, operations: readonly Operation[]): Problems {
  const itemsOf = Map.groupBy(items, ({ orderId }) => orderId);
  for (const { id, itemCount, total } of orders) {
    const own = itemsOf.get(id) ?? [];
    const sum = own.reduce((amount, item) => amount + item.total.amount, 0);
    if (own.length !== itemCount) yield `The order ${id} has ${own.length} of ${itemCount} items.`;
    else if (sum !== total.amount) yield `The order ${id} costs ${total.amount}, and its items ${sum}.`;
  }
  for (const { key, lives } of operations) {
    const buyer = buyerOf(key);
    if (buyer === undefined) continue;
    const quantity = quantityOfBuyer(buyer.index);
    const made = [...itemsOf.values()].filter((own) => own.some((item) => item.quantity === quantity));
    if (made.length > lives) yield `${key} has made ${made.length} orders.`;
    for (const { length } of made) if (length !== buyer.size) yield `${key} has ordered ${length} items.`;
  }
}

/** One change for each key, until the key expires. */
function* judgeChanges({ stockChanges }: Found, operations: readonly Operation[]): Problems {
  for (const { key, lives } of operations) {
    if (!key.startsWith('stock-')) continue;
    const made = stockChanges.filter(({ reason }) => reason === key).length;
    if (made > lives) yield `${key} has changed the stock ${made} times.`;
  }
  for (const { id, stockAfter } of stockChanges)
    if (stockAfter < 0) yield `The change ${id} has left ${Quantity.toNumber(stockAfter)}.`;
}
