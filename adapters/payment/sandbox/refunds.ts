import type { Reversal, ReversalState, Verdict } from '#application/ports/charge.ts';
import type { ProviderRefund } from '#application/ports/followed-charges.ts';
import type { Money } from '#domain/money.ts';
import type { PaymentId } from '#domain/payment.ts';
import { paymentOf, referenceOf, type SlowCharge } from './charges.ts';
import type { Book } from './ledger.ts';
import { storyOf } from './tokens.ts';

/** A refund as the ledger has it. */
export interface KeptRefund {
  readonly chargeReference: string;
  readonly amount: Money;
  /** In milliseconds since 1970. */
  readonly begunAt: number;
}

/** A line in the list of refunds of a charge. The lines before it say whether there is enough left. */
interface Line {
  /** Null for a refund that the provider has made by itself. */
  readonly refundId: string | null;
  readonly amount: Money;
  readonly begunAt: number;
}

const lateFailure = { code: 'lost_or_stolen_card', message: 'The bank returned the money.' };
const tooMuch = { code: 'charge_already_refunded', message: 'Less is left to refund of the charge.' };

/** Refunds in the ledger: each is on one line of its charge, in the order in which they came. */
export const refundsOf = (book: Book, now: () => number) => {
  const linesOf = async (payment: PaymentId): Promise<Line[]> => {
    const lines: Line[] = [];
    for (;;) {
      const line = await book.find<Line>(`${payment}/refunds/${lines.length}`);
      if (line === undefined) return lines;
      lines.push(line);
    }
  };

  /** Adds a line unless the refund has one. @returns the lines up to it */
  const append = async (payment: PaymentId, line: Line): Promise<Line[]> => {
    const lines = await linesOf(payment);
    for (;;) {
      const own = lines.findIndex(({ refundId }) => refundId === line.refundId);
      if (own >= 0) return lines.slice(0, own + 1);
      lines.push(await book.keep<Line>(`${payment}/refunds/${lines.length}`, line));
    }
  };

  /** How much of each line was refunded: nothing where less was left. */
  const accepted = (lines: readonly Line[], most: Money | undefined): boolean[] => {
    let sum = 0;
    return lines.map(({ amount: { amount } }) => {
      if (most !== undefined && sum + amount > most.amount) return false;
      sum += amount;
      return true;
    });
  };

  const statusOf = (
    line: Line,
    charge: SlowCharge | undefined,
  ): Pick<ProviderRefund, 'status' | 'failure'> => {
    const { refundAfter = 0, refundFailsAfter = Number.POSITIVE_INFINITY } = charge
      ? (storyOf(charge.token) ?? {})
      : {};
    const age = now() - line.begunAt;
    if (line.refundId !== null && age >= refundFailsAfter) return { status: 'failed', failure: lateFailure };
    return { status: line.refundId !== null && age < refundAfter ? 'pending' : 'succeeded', failure: null };
  };

  const nameOf = (payment: PaymentId, { refundId }: Line): string =>
    refundId === null ? `${referenceOf(payment)}_outside` : referenceOf(refundId);

  /** @param captured how much was taken; undefined for a charge that does not say it */
  const stateOf = async (
    refundId: string,
    kept: KeptRefund,
    charge: SlowCharge | undefined,
    captured: Money | undefined,
  ): Promise<ReversalState> => {
    const reference = referenceOf(refundId);
    const payment = paymentOf(kept.chargeReference);
    if (payment === undefined) return { reference };
    const line = { refundId, amount: kept.amount, begunAt: kept.begunAt };
    const lines = await append(payment, line);
    if (!accepted(lines, captured).at(-1)) return { declined: tooMuch };
    const { status, failure } = statusOf(line, charge);
    if (failure !== null) return { declined: failure };
    return status === 'pending' ? { reference, waitsFor: 'provider' } : { reference };
  };

  const begin = (refundId: string, { chargeReference, amount }: Reversal): Promise<Verdict | KeptRefund> =>
    book.keep<Verdict | KeptRefund>(refundId, { chargeReference, amount, begunAt: now() });

  /** Lists the refunds of a charge, and makes the one that the provider makes by itself when its time has come. */
  const list = async (
    payment: PaymentId,
    charge: SlowCharge | undefined,
    captured: Money | undefined,
  ): Promise<ProviderRefund[]> => {
    const { refundedAfter = Number.POSITIVE_INFINITY } = charge ? (storyOf(charge.token) ?? {}) : {};
    if (charge !== undefined && captured !== undefined && now() >= charge.begunAt + refundedAfter) {
      const before = await linesOf(payment);
      const left = before.reduce((rest, { amount }) => rest - amount.amount, captured.amount);
      const hasOne = before.some(({ refundId }) => refundId === null);
      const line = { refundId: null, amount: { ...captured, amount: left }, begunAt: now() };
      if (!hasOne && left > 0) await append(payment, line);
    }
    const lines = await linesOf(payment);
    const are = accepted(lines, captured);
    return lines
      .filter((_, index) => are[index])
      .map((line) => ({
        reference: nameOf(payment, line),
        refundId: line.refundId,
        amount: line.amount,
        ...statusOf(line, charge),
      }));
  };

  return { begin, stateOf, list };
};

export const isKeptRefund = (kept: Verdict | KeptRefund): kept is KeptRefund => 'begunAt' in kept;
