import { createdSubject } from '../response.ts';
import { type Violation, violation } from '../violations.ts';
import { type ClientOutcome, describeOrder, groupedBy, type Judge } from './evidence.ts';

/** Each row was made by one key, and each key made one row at most. It counts only once every key has its answer. */
export const judgeRows: Judge = ({ rows, clientOutcomes: testimonies, stockBefore }) => {
  const found: Violation[] = [];
  const ordersTold = idsTold(testimonies, 'order');
  const itemsTold = idsTold(testimonies, 'item');
  const changesTold = idsTold(testimonies, 'stockChange');

  for (const order of rows.orders) {
    if (ordersTold.has(order.id)) continue;
    found.push(violation('rowsMadeTwice', `no client was told of ${describeOrder(order)}`));
  }
  for (const { id } of rows.stockChanges) {
    if (changesTold.has(id)) continue;
    found.push(violation('rowsMadeTwice', `no client was told of stock change ${id}`));
  }
  for (const { id } of rows.products) {
    if (stockBefore.has(id)) continue;
    found.push(violation('rowsMadeTwice', `no client was told of product ${id}`));
  }

  // An order's first item comes with it, and no answer says which it is.
  const untold = rows.items.filter(({ id }) => !itemsTold.has(id));
  for (const [orderId, firsts] of groupedBy(untold, (item) => item.orderId)) {
    if (firsts.length === 1) continue;
    const ids = firsts.map(({ id }) => id).join(', ');
    found.push(
      violation('rowsMadeTwice', `of order ${orderId}, no client was told of all but one of ${ids}`),
    );
  }

  const begun = groupedBy(
    rows.keys.filter(({ subject }) => subject !== null),
    ({ subject }) => subject ?? '',
  );
  for (const { id } of [...rows.payments, ...rows.refunds]) {
    const keys = begun.get(id) ?? [];
    if (keys.length === 1) continue;
    const names = keys.map(({ key }) => key).join(' and ') || 'no key';
    found.push(violation('rowsMadeTwice', `${id} was begun under ${names}`));
  }
  return found;
};

const idsTold = (testimonies: readonly ClientOutcome[], kind: ClientOutcome['kind']): ReadonlySet<string> =>
  new Set(
    testimonies
      .filter((testimony) => testimony.kind === kind)
      .flatMap(({ response }) => (response && createdSubject(response)?.id) ?? []),
  );
