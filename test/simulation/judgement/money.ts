import { Money } from '#domain/money.ts';
import { offline, Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { LedgerCharge } from '../provider/ledger.ts';
import type { SimulatedProvider } from '../provider/provider.ts';
import type { Found, Problems } from './judgement.ts';

/** Compares the provider's ledger with the rows, in both directions. */
export function* judgeMoney(found: Found, provider: SimulatedProvider): Problems {
  const own = provider.ledger.charges.filter(({ isForeign }) => !isForeign);
  for (const payment of found.payments) {
    const charges = own.filter(({ paymentId }) => paymentId === payment.id);
    yield* judgePayment(payment, charges, provider);
    yield* judgeCaptures(payment, charges, found);
    yield* judgeRefunds(payment, charges, found);
    yield* judgeDisputes(payment, charges, found);
  }
  for (const { paymentId } of own)
    if (!found.payments.some(({ id }) => id === paymentId))
      yield `Of the charge of the payment ${paymentId} nothing is known here.`;
}

/** What is paid here has taken money exactly once there, and what is not has taken none, and takes none any more. */
function* judgePayment(
  payment: Payment,
  charges: readonly LedgerCharge[],
  { lostCancellations }: SimulatedProvider,
): Problems {
  const { id, status, provider, amount, providerReference } = payment;
  const isPaid = Payment.isPaid(payment);
  if (provider === offline || amount.amount === 0) {
    if (!isPaid) yield `The payment ${id} is ${status}, although no provider has a say in it.`;
    if (charges.length > 0) yield `The payment ${id} has reached the provider.`;
    return;
  }
  const [first, ...more] = charges.filter(({ taken }) => taken !== null);
  if (more.length > 0) yield `The payment ${id} has moved money ${more.length + 1} times.`;
  if (isPaid && first === undefined) yield `The payment ${id} is ${status}, and no money has moved.`;
  if (!isPaid && first !== undefined) yield `The payment ${id} is ${status}, and its money has moved.`;
  const sum = first?.taken ?? Money.zero(amount.currency);
  if (!Money.equals(sum, Payment.captured(payment)) || (first && first.reference !== providerReference))
    yield `The payment ${id} is not as the provider has it: ${Payment.captured(payment).amount} here, and ${sum.amount} there.`;
  if (lostCancellations.has(id) && !isPaid)
    yield `The payment ${id} is ${status}, although it was given up after its money had moved.`;
  for (const charge of charges)
    if (charge.status.startsWith('waits') || charge.status === 'authorized')
      yield `The payment ${id} is ${status}, and its charge is ${charge.status}.`;
}

function* judgeCaptures(payment: Payment, charges: readonly LedgerCharge[], found: Found): Problems {
  const made = charges.flatMap(({ captures }) => captures);
  const rows = found.captures.filter(({ paymentId }) => paymentId === payment.id);
  if (made.length > 1) yield `The payment ${payment.id} was captured ${made.length} times.`;
  const succeeded = rows.filter(({ status }) => status === 'succeeded');
  for (const { captureId, reference, amount } of made) {
    const [row, ...more] = succeeded.filter(({ id, providerReference }) =>
      captureId === null ? providerReference === reference : id === captureId,
    );
    if (row === undefined) yield `Of the capture ${reference} nothing is known here.`;
    else if (more.length > 0 || !Money.equals(row.amount, amount) || row.providerReference !== reference)
      yield `The capture ${row.id} is not as the provider has it.`;
  }
  if (succeeded.length > made.length)
    yield `The payment ${payment.id} has ${succeeded.length} captures, and no money has moved for some.`;
}

function* judgeRefunds(payment: Payment, charges: readonly LedgerCharge[], found: Found): Problems {
  const rows = found.refunds.filter(({ paymentId }) => paymentId === payment.id);
  const made = charges.flatMap(({ refunds }) => refunds);
  for (const { reference, refundId, status, amount, isMistaken } of made) {
    const named = rows.filter(
      ({ id, providerReference }) => providerReference === reference || id === refundId,
    );
    const [row, ...more] = named;
    // Settled as failed with the amount that was asked for, which is another than the wrong refund had.
    const isTakenBack = isMistaken && status === 'failed' && row?.status === 'failed' && row.id === refundId;
    if (more.length > 0) yield `The refund ${reference} has ${named.length} rows.`;
    // A wrong refund of a charge that has paid nothing here is not recorded. The charge was of a wrong amount, and is given back too.
    if (row === undefined && isMistaken && status === 'failed' && !Payment.isPaid(payment)) continue;
    if (row === undefined) yield `Of the refund ${reference} nothing is known here.`;
    else if (!(isTakenBack || Money.equals(row.amount, amount)) || !isOfOrigin(row, refundId))
      yield `The refund ${row.id} is not as the provider has it.`;
    else if (row.status !== status)
      yield `The refund ${row.id} is ${row.status}, and at the provider ${status}.`;
  }
  for (const refund of rows) yield* judgeRefund(refund, made);
  yield* judgeSums(payment, rows);
}

/** A refund from another charge than was asked for is one from outside there. */
const isOfOrigin = ({ id, origin }: Refund, refundId: string | null): boolean =>
  origin === (id === refundId ? 'portico' : 'provider');

function* judgeRefund(refund: Refund, made: LedgerCharge['refunds']): Problems {
  const { id, status, chargeReference, providerReference } = refund;
  const own = made.filter(({ reference, refundId }) => reference === providerReference || refundId === id);
  if (own.length > 1) yield `The refund ${id} has moved money ${own.length} times.`;
  if (chargeReference === null) {
    if (status !== 'succeeded') yield `The refund ${id} is ${status}, although no provider has a say in it.`;
    if (own.length > 0) yield `The refund ${id} has reached the provider.`;
  } else if (status === 'succeeded' && own.length === 0) {
    yield `The refund ${id} is ${status}, and no money has moved.`;
  }
}

function* judgeSums(payment: Payment, refunds: readonly Refund[]): Problems {
  const { id, status, refunded, refunding } = payment;
  const succeeded = refunds.filter((refund) => refund.status === 'succeeded');
  const given = succeeded.reduce((sum, { amount }) => sum + amount.amount, 0);
  const captured = Payment.captured(payment).amount;
  if (given !== refunded.amount)
    yield `The payment ${id} says that ${refunded.amount} went back, and ${given} did.`;
  if (given > captured) yield `More went back of the payment ${id} than came in.`;
  if (refunding.amount !== 0) yield `The payment ${id} keeps ${refunding.amount} back.`;
  if (succeeded.length > 0 && (given === captured) !== (status === 'refunded'))
    yield `The payment ${id} is ${status}.`;
}

function* judgeDisputes(payment: Payment, charges: readonly LedgerCharge[], found: Found): Problems {
  const rows = found.disputes.filter(({ paymentId }) => paymentId === payment.id);
  const made = charges.flatMap(({ disputes }) => disputes);
  let sum = 0;
  for (const { providerReference: reference, status, amount } of made) {
    const [row, ...more] = rows.filter(({ providerReference }) => providerReference === reference);
    if (row === undefined || more.length > 0)
      yield `The dispute ${reference} has ${more.length + (row ? 1 : 0)} rows.`;
    else if (row.status !== status || !Money.equals(row.amount, amount))
      yield `The dispute ${row.id} is not as the provider has it.`;
    if (status === 'lost') sum += amount.amount;
  }
  if (rows.length > made.length)
    yield `The payment ${payment.id} has disputes that the provider does not have.`;
  if (payment.disputed.amount !== sum)
    yield `The payment ${payment.id} says that ${payment.disputed.amount} is disputed, and ${sum} is.`;
}
