import { Quantity } from '#domain/quantity.ts';
import type { Operation } from '../client.ts';
import type { Shop } from '../shop.ts';
import { buyerOf, quantityOfBuyer } from '../stories/stories.ts';
import { allIn } from './evidence.ts';
import type { Problems } from './judgement.ts';

/** Each key has made one thing, until the key expired and began anew. */
export function* judgeKeys({ tables }: Shop, operations: readonly Operation[]): Problems {
  yield* judgeBuyers(tables, operations);
  yield* judgeChanges(tables, operations);
}

/** One order for each key, with all of its items. */
function* judgeBuyers({ orderItems }: Shop['tables'], operations: readonly Operation[]): Problems {
  const itemsOf = Map.groupBy(allIn(orderItems), ({ orderId }) => orderId);
  for (const { key, lives } of operations) {
    const buyer = buyerOf(key);
    if (buyer === undefined) continue;
    const quantity = quantityOfBuyer(buyer.index);
    const made = [...itemsOf.values()].filter((own) => own.some((item) => item.quantity === quantity));
    if (made.length > lives) yield `${key} has made ${made.length} orders.`;
    for (const { length } of made) if (length !== buyer.size) yield `${key} has ordered ${length} items.`;
  }
}

/** One change for each key. */
function* judgeChanges({ stockChanges }: Shop['tables'], operations: readonly Operation[]): Problems {
  const changes = allIn(stockChanges);
  for (const { key, lives } of operations) {
    if (!key.startsWith('stock-')) continue;
    const made = changes.filter(({ reason }) => reason === key).length;
    if (made > lives) yield `${key} has changed the stock ${made} times.`;
  }
  for (const { id, stockAfter } of changes)
    if (stockAfter < 0) yield `The change ${id} has left ${Quantity.toNumber(stockAfter)}.`;
}
