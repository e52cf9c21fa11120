import { type Violation, violation } from '../violations.ts';
import { byId, groupedBy, type StateJudge, sumOf } from './evidence.ts';

/** An order that is one of these has given back what it took. */
const gone = new Set(['canceled', 'refunded']);

/** What is left and what live orders took is what there was, and what staff have added. */
export const judgeStock: StateJudge = ({ rows: { products, items, orders, stockChanges }, stockBefore }) => {
  const ordersById = byId(orders);
  const taken = groupedBy(
    items.filter(({ counted, orderId }) => counted && !gone.has(ordersById.get(orderId)?.status ?? '')),
    ({ productId }) => productId,
  );
  const changes = groupedBy(stockChanges, ({ productId }) => productId);
  const found: Violation[] = [];
  for (const { id, stock } of products) {
    const before = stockBefore.get(id);
    if (stock === null || before === undefined || before === null) continue;
    const sold = sumOf(taken.get(id) ?? [], ({ quantity }) => quantity);
    const added = sumOf(changes.get(id) ?? [], ({ change }) => change);
    if (stock >= 0 && stock + sold === before + added) continue;
    const sum = `${stock} left and ${sold} taken of ${before} and ${added} added`;
    found.push(violation('stock', `product ${id}: ${sum} (in thousandths)`));
  }
  return found;
};
