import { Quantity } from '#domain/quantity.ts';
import type { Operation } from './client.ts';
import type { Found, Problems } from './judgement.ts';
import { quantityOfBuyer } from './stories.ts';

/** Compares what is left of the product with what was there, what staff have changed, and what orders hold. */
export function* judgeStock(
  found: Found,
  { before, left }: { readonly before: number; readonly left: Quantity | null },
  operations: readonly Operation[],
): Problems {
  yield* judgeSum(found, before, left);
  yield* judgeBuyers(found, operations);
  yield* judgeChanges(found, operations);
}

/** What is left and what is in orders that stand is what there was, and what was added since. */
function* judgeSum({ orders, items, stockChanges }: Found, before: number, left: Quantity | null): Problems {
  if (left === null || left < 0) {
    yield `There are ${left} left.`;
    return;
  }
  const standing = new Set(
    orders.filter(({ status }) => status !== 'canceled' && status !== 'refunded').map(({ id }) => id),
  );
  const taken = sumOf(items.filter(({ orderId }) => standing.has(orderId)).map(({ quantity }) => quantity));
  const added = sumOf(stockChanges.map(({ change }) => change));
  if (left + taken !== Quantity.of(before) + added) {
    const [there, held, since] = [left, taken, added].map(Quantity.toNumber);
    yield `Of ${before} and ${since} added there are ${there} left and ${held} taken.`;
  }
}

const sumOf = (quantities: readonly Quantity[]): Quantity =>
  quantities.reduce((sum, quantity) => Quantity.plus(sum, quantity), Quantity.zero);

/** One order for each key, until the key expires. */
function* judgeBuyers({ items }: Found, operations: readonly Operation[]): Problems {
  for (const { key, lives } of operations) {
    if (!key.startsWith('buy-')) continue;
    const quantity = quantityOfBuyer(Number(key.slice('buy-'.length)));
    const made = items.filter((item) => item.quantity === quantity).length;
    if (made > lives) yield `${key} has made ${made} orders.`;
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
