import { describeResponse } from '../response.ts';
import type { KeyRow, OrderRow, Rows } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { byId, type ClientOutcome, type Judge, wasCharged } from './evidence.ts';

/** The responses that clients got agree with the rows. */
export const judgeResponses: Judge = ({ rows, clientOutcomes }) => {
  const findMismatch = mismatchFinder(rows);
  const keys = new Map(rows.keys.map((row) => [row.key, row]));
  const found: Violation[] = [];
  for (const outcome of clientOutcomes) {
    const { response, key, path, isForgotten } = outcome;
    if (response === undefined) {
      if (isForgotten) continue;
      found.push(violation('stuckKeys', `${path} with key ${key} has no final response`));
      continue;
    }
    const mismatch = keyMismatch(outcome, keys.get(key)) ?? findMismatch(outcome, keys.get(key));
    if (mismatch === undefined) continue;
    found.push(
      violation(
        'untrueResponses',
        `${path} with key ${key} got ${describeResponse(response)}, but ${mismatch}`,
      ),
    );
  }
  return found;
};

type Mismatch = string | undefined;

/** The key has a response, and names its subject. */
const keyMismatch = ({ response, isForgotten }: ClientOutcome, key: KeyRow | undefined): Mismatch => {
  if (isForgotten) return undefined;
  if (key === undefined) return 'the key does not exist';
  if (!key.hasResponse) return 'the key has no response';
  if (key.subject === null || response?.status !== 201) return undefined;
  return key.subject === response.subject?.id ? undefined : `the key stands for ${key.subject}`;
};

const mismatchFinder = (rows: Rows): ((outcome: ClientOutcome, key: KeyRow | undefined) => Mismatch) => {
  const orders = byId(rows.orders);
  const items = byId(rows.items);
  const payments = byId(rows.payments);
  const refunds = byId(rows.refunds);
  const stockChanges = byId(rows.stockChanges);
  const erasures = byId(rows.erasures);

  const paymentMismatch = ({ response, isForgotten }: ClientOutcome, key: KeyRow | undefined): Mismatch => {
    const row = payments.get((response?.subject?.id ?? key?.subject) || '');
    if (response?.status === 201) {
      if (row === undefined) return 'there is no such payment';
      const { amount, reference } = response.subject ?? {};
      const isTrue = wasCharged(row) && row.amount === amount && row.reference === reference;
      return isTrue ? undefined : `it is ${row.status}, ${row.amount}, ${row.reference}`;
    }
    if (response?.code === 'PAYMENT_DECLINED') {
      if (isForgotten && key === undefined) return undefined;
      return row?.status === 'failed' ? undefined : `the payment ${key?.subject} is ${row?.status}`;
    }
    return key?.subject == null ? undefined : `a payment was begun, ${key.subject}`;
  };

  const refundMismatch = ({ response }: ClientOutcome, key: KeyRow | undefined): Mismatch => {
    if (response?.status !== 201) {
      return key?.subject == null ? undefined : `a refund was begun, ${key.subject}`;
    }
    const row = refunds.get(response.subject?.id ?? '');
    if (row === undefined) return 'there is no such refund';
    const { amount, reference } = response.subject ?? {};
    const isTrue = row.status === 'succeeded' && row.amount === amount && row.reference === reference;
    return isTrue ? undefined : `it is ${row.status}, ${row.amount}, ${row.reference}`;
  };

  const itemMismatch = ({ response }: ClientOutcome): Mismatch => {
    const row = items.get(response?.subject?.id ?? '');
    if (row === undefined) return 'there is no such item';
    return row.total === response?.subject?.amount ? undefined : `it costs ${row.total}`;
  };

  return (outcome, key) => {
    const { kind, response } = outcome;
    if (kind === 'payment') return paymentMismatch(outcome, key);
    if (kind === 'refund') return refundMismatch(outcome, key);
    if (response === undefined || response.status >= 300) return undefined;
    if (kind === 'item') return itemMismatch(outcome);
    if (kind === 'stockChange')
      return stockChanges.has(response.subject?.id ?? '') ? undefined : 'there is no such stock change';
    if (kind === 'erasure')
      return erasures.has(response.subject?.id ?? '') ? undefined : 'there is no such erasure';
    const order = orders.get(response.subject?.id ?? '');
    if (kind === 'order') return order ? undefined : 'there is no such order';
    return kind === 'change' ? changeMismatch(outcome, order) : undefined;
  };
};

/** A paid order that was fulfilled stays so; one that was canceled does too. */
const changeMismatch = ({ response }: ClientOutcome, order: OrderRow | undefined): Mismatch =>
  order !== undefined && order.status === response?.subject?.status ? undefined : `it is ${order?.status}`;
