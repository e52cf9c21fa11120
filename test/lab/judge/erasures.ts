import type { ErasureRow } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { byId, describeOrder, describePayment, type Evidence, groupedBy } from './evidence.ts';

type ErasureEvidence = Pick<
  Evidence,
  'rows' | 'people' | 'markedRows' | 'clientOutcomes' | 'requestTimeoutMs'
>;

/** Erasures end, leave no text of their user, and nothing is done as that user afterwards. */
export const judgeErasures = ({
  rows,
  people,
  markedRows,
  clientOutcomes,
  requestTimeoutMs,
}: ErasureEvidence): Violation[] => {
  const { users, orders, payments, keys, erasures } = rows;
  const [usersById, peopleById] = [byId(users), byId(people)];
  const [ordersOf, paymentsOf, keysOf] = [
    groupedBy(orders, ({ userId }) => userId),
    groupedBy(payments, ({ userId }) => userId),
    groupedBy(keys, ({ userId }) => userId),
  ];
  const accepted = new Set(
    clientOutcomes
      .filter(({ kind, response }) => kind === 'erasure' && response?.status === 201)
      .map(({ response }) => response?.subject?.id),
  );
  const found: Violation[] = [];

  const judgeOne = (erasure: ErasureRow): void => {
    const { id, userId, status, createdAt } = erasure;
    const name = `erasure ${id} of user ${userId}`;
    if (!accepted.has(id)) found.push(violation('rowsMadeTwice', `no client was told of ${name}`));
    if (status !== 'completed') found.push(violation('unfinishedErasures', `${name} is ${status}`));
    const left = (detail: string) => found.push(violation('personalData', `${name} has left ${detail}`));
    const user = usersById.get(userId);
    if (user?.status !== 'erased') left(`the user ${user?.status}`);
    const mark = peopleById.get(userId)?.mark;
    for (const { table, text } of markedRows)
      if (mark !== undefined && text.includes(mark)) left(`in ${table} ${text}`);
    for (const { key } of keysOf.get(userId) ?? []) left(`the response to ${key}`);
    for (const order of ordersOf.get(userId) ?? [])
      if (order.status === 'pending') left(describeOrder(order));
    const isLate = (row: { readonly createdAt: number }) => row.createdAt > createdAt + requestTimeoutMs;
    const late = [
      ...(ordersOf.get(userId) ?? []).filter(isLate).map(describeOrder),
      ...(paymentsOf.get(userId) ?? []).filter(isLate).map(describePayment),
    ];
    for (const detail of late) found.push(violation('erasedActors', `${name} is older than ${detail}`));
  };

  for (const erasure of erasures) judgeOne(erasure);
  for (const [userId, all] of groupedBy(erasures, (erasure) => erasure.userId)) {
    if (all.length > 1) found.push(violation('rowsMadeTwice', `user ${userId} was erased twice`));
  }
  return found;
};
