import { describeResponse } from '../clients/response.ts';
import type { KeyRow, OrderRow, Rows } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { byId, type ClientOutcome, type Evidence, groupedBy, type Judge } from './evidence.ts';
import { refundRejections } from './refund-rejections.ts';

/** The responses that clients got agree with the rows. */
export const judgeResponses: Judge = ({ ledger, rows, clientOutcomes }) => {
  const findMismatch = mismatchFinder(rows, ledger);
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

/** The statuses of a payment that has succeeded, whatever was refunded since. */
const paid = ['succeeded', 'partially_refunded', 'refunded'];

/** The key has a response, and names its subject. */
const keyMismatch = ({ response, isForgotten }: ClientOutcome, key: KeyRow | undefined): Mismatch => {
  if (isForgotten) return undefined;
  if (key === undefined) return 'the key does not exist';
  if (!key.hasResponse) return 'the key has no response';
  if (key.subject === null || response?.status !== 201) return undefined;
  return key.subject === response.subject?.id ? undefined : `the key stands for ${key.subject}`;
};

/** How a payment can end that a client was told of with a status. */
const reachable: Readonly<Record<string, ReadonlySet<string>>> = {
  requires_action: new Set([...paid, 'requires_action', 'processing', 'authorized', 'failed', 'canceled']),
  processing: new Set([...paid, 'processing', 'authorized', 'failed', 'canceled']),
  authorized: new Set([...paid, 'authorized', 'canceled']),
  succeeded: new Set(paid),
  // The first response was lost, and a retry is told what has become of the payment meanwhile.
  partially_refunded: new Set(paid),
  refunded: new Set(paid),
  canceled: new Set(['canceled']),
};

const mismatchFinder = (
  rows: Rows,
  ledger: Evidence['ledger'],
): ((outcome: ClientOutcome, key: KeyRow | undefined) => Mismatch) => {
  const refundRejection = refundRejections(rows, ledger);
  const canceledInDashboard = new Set(
    ledger.canceled.filter(({ inDashboard }) => inDashboard).map(({ paymentId }) => paymentId),
  );
  const orders = byId(rows.orders);
  const items = byId(rows.items);
  const payments = byId(rows.payments);
  const refunds = byId(rows.refunds);
  const captures = byId(rows.captures);
  const paymentsOf = groupedBy(rows.payments, ({ orderId }) => orderId);
  const refundsOf = groupedBy(rows.refunds, ({ paymentId }) => paymentId);
  const capturesOf = groupedBy(rows.captures, ({ paymentId }) => paymentId);
  const stockChanges = byId(rows.stockChanges);
  const erasures = byId(rows.erasures);

  const paymentMismatch = (outcome: ClientOutcome, key: KeyRow | undefined): Mismatch => {
    const { response, isForgotten, subjectId = '' } = outcome;
    const row = payments.get((response?.subject?.id ?? key?.subject) || '');
    if (response?.status === 201) {
      if (row === undefined) return 'there is no such payment';
      const { amount, reference, status } = response.subject ?? {};
      const canBe = reachable[status ?? '']?.has(row.status);
      const isTrue = canBe && row.amount === amount && row.reference === reference;
      return isTrue ? undefined : `it is ${row.status}, ${row.amount}, ${row.reference}`;
    }
    if (response?.code === 'PAYMENT_DECLINED') {
      if (isForgotten && key === undefined) return undefined;
      return row?.status === 'failed' ? undefined : `the payment ${key?.subject} is ${row?.status}`;
    }
    if (key?.subject != null) return `a payment was begun, ${key.subject}`;
    const isTaken = paymentsOf.has(subjectId) || orders.get(subjectId)?.status === 'canceled';
    return isForgotten || isTaken ? undefined : `the order ${subjectId} waits to be paid`;
  };

  /** One that had succeeded can fail later, and the judge of refunds compares what became of it. */
  const refundMismatch = (outcome: ClientOutcome, key: KeyRow | undefined): Mismatch => {
    const { response } = outcome;
    const row = refunds.get((response?.subject?.id ?? key?.subject) || '');
    if (response?.status !== 201) {
      if (row !== undefined && row.status !== 'failed') return `it is ${row.status}`;
      return refundRejection(outcome, row);
    }
    if (row === undefined) return 'there is no such refund';
    const { amount, reference, status } = response.subject ?? {};
    const canBe = status === 'pending' || (status === 'succeeded' && row.status !== 'pending');
    const isTrue = canBe && row.amount === amount && row.reference === reference;
    return isTrue ? undefined : `it is ${row.status}, ${row.amount}, ${row.reference}`;
  };

  /** One is rejected because of another capture, here or in the dashboard, or because the payment was canceled. */
  const captureMismatch = (
    { response, subjectId = '' }: ClientOutcome,
    key: KeyRow | undefined,
  ): Mismatch => {
    const row = captures.get((response?.subject?.id ?? key?.subject) || '');
    const others = (capturesOf.get(subjectId) ?? []).filter(({ id }) => id !== row?.id);
    const hasReason = others.length > 0 || payments.get(subjectId)?.status === 'canceled';
    if (response?.status !== 201 && !hasReason)
      return `the payment ${subjectId} has no other capture, and is not canceled`;
    // One that was begun and came too late is 409, too.
    if (response?.status === 409 && key?.subject == null) return undefined;
    const expected = response?.status === 201 ? 'succeeded' : 'failed';
    const isTrue = row?.status === expected && row.amount === (response?.subject?.amount ?? row.amount);
    return isTrue ? undefined : `it is ${row?.status}, ${row?.amount}`;
  };

  /** One that lost has not changed what became of the charge, which the judge of charges compares. */
  const cancellationMismatch = ({ response, subjectId = '' }: ClientOutcome): Mismatch => {
    const status = payments.get(subjectId)?.status;
    const isTrue = (response?.status === 200) === (status === 'canceled');
    // A merchant came first, in the dashboard.
    return isTrue || (status === 'canceled' && canceledInDashboard.has(subjectId))
      ? undefined
      : `the payment is ${status}`;
  };

  /** An order is kept from a cancellation by a payment, and from being fulfilled by a refund. */
  const changeRejection = ({ asked, subjectId = '', isForgotten }: ClientOutcome): Mismatch => {
    const found = paymentsOf.get(subjectId) ?? [];
    const hasRefund = found.some(({ id }) => refundsOf.has(id));
    const hasReason = asked?.status === 'fulfilled' ? hasRefund : found.length > 0;
    return hasReason || isForgotten ? undefined : `nothing keeps the order ${subjectId} from it`;
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
    if (kind === 'capture') return captureMismatch(outcome, key);
    if (kind === 'cancellation') return cancellationMismatch(outcome);
    if (kind === 'change' && response?.status === 409) return changeRejection(outcome);
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
