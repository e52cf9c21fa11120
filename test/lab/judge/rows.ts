import { createdSubject, type Subject } from '../clients/response.ts';
import type { OrderRow } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import {
  byId,
  type ClientOutcome,
  describeOrder,
  groupedBy,
  isCapturedOutside,
  type Judge,
} from './evidence.ts';

/** Each row was made by one key, and each key made one row at most. It counts only once every key has its answer. */
export const judgeRows: Judge = ({ ledger, rows, clientOutcomes: testimonies, stockBefore }) => {
  const found: Violation[] = [];
  const ordersTold = byId(subjectsTold(testimonies, 'order'));
  const itemsTold = byId(subjectsTold(testimonies, 'item'));
  const changesTold = byId(subjectsTold(testimonies, 'stockChange'));
  // The items that an order is placed with come with it, and no answer says which they are.
  const untold = groupedBy(
    rows.items.filter(({ id }) => !itemsTold.has(id)),
    (item) => item.orderId,
  );

  const erased = new Set(rows.erasures.map(({ userId }) => userId));
  // The response to the last order before an erasure may be lost, and a retry is rejected.
  const lost = new Map<string, number>();
  for (const { kind, personId, response } of testimonies)
    if (kind === 'order' && personId !== undefined && response?.status !== 201)
      lost.set(personId, (lost.get(personId) ?? 0) + 1);
  const isLost = ({ userId }: OrderRow): boolean => {
    const left = erased.has(userId) ? (lost.get(userId) ?? 0) : 0;
    lost.set(userId, left - 1);
    return left > 0;
  };
  for (const order of rows.orders) {
    const told = ordersTold.get(order.id);
    if (told === undefined && isLost(order)) continue;
    const made = untold.get(order.id) ?? [];
    if (made.length === told?.itemCount) continue;
    const ids = made.map(({ id }) => id).join(', ');
    const detail =
      told === undefined
        ? `no client was told of ${describeOrder(order)}`
        : `order ${order.id} was placed with ${told.itemCount} items, and has ${ids}`;
    found.push(violation('rowsMadeTwice', detail));
  }
  for (const { id } of rows.stockChanges) {
    if (changesTold.has(id)) continue;
    found.push(violation('rowsMadeTwice', `no client was told of stock change ${id}`));
  }
  for (const { id } of rows.products) {
    if (stockBefore.has(id)) continue;
    found.push(violation('rowsMadeTwice', `no client was told of product ${id}`));
  }

  const begun = groupedBy(
    // A cancellation makes nothing.
    rows.keys.filter(({ subject, process }) => subject !== null && process !== 'cancellation'),
    ({ subject }) => subject ?? '',
  );
  // An erasure removes the keys of its user.
  const keyless = new Set(rows.payments.filter(({ userId }) => erased.has(userId)).map(({ id }) => id));
  const fromOutside = new Set([
    ...rows.refunds.filter(({ origin }) => origin === 'provider').map(({ id }) => id),
    ...rows.captures.filter((row) => isCapturedOutside(row, ledger)).map(({ id }) => id),
  ]);
  for (const { id } of [...rows.payments, ...rows.captures, ...rows.refunds]) {
    const keys = begun.get(id) ?? [];
    const expected = fromOutside.has(id) ? 0 : 1;
    if (keys.length === expected || (keys.length === 0 && keyless.has(id))) continue;
    const names = keys.map(({ key }) => key).join(' and ') || 'no key';
    found.push(violation('rowsMadeTwice', `${id} was begun under ${names}`));
  }
  return found;
};

const subjectsTold = (
  testimonies: readonly ClientOutcome[],
  kind: ClientOutcome['kind'],
): readonly Subject[] =>
  testimonies
    .filter((testimony) => testimony.kind === kind)
    .flatMap(({ response }) => (response && createdSubject(response)) ?? []);
