import type { ChargeState, ReversalState, Verdict } from '#application/ports/charge.ts';
import type { FollowedCharges, Movements } from '#application/ports/followed-charges.ts';
import type { DisputeDetails } from '#domain/dispute.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { PaymentId } from '#domain/payment.ts';
import {
  type chargesOf,
  isSlow,
  type KeptCharge,
  paymentOf,
  referenceOf,
  type SlowCharge,
} from './charges.ts';
import type { Book } from './ledger.ts';
import type { newsOf } from './news.ts';
import { isKeptRefund, type KeptRefund, type refundsOf } from './refunds.ts';
import { storyOf } from './tokens.ts';

interface Parts {
  readonly book: Book;
  readonly now: () => number;
  readonly charges: ReturnType<typeof chargesOf>;
  readonly refunds: ReturnType<typeof refundsOf>;
  readonly news: ReturnType<typeof newsOf>;
}

/** How long evidence can be given, in milliseconds. */
const evidencePeriodMs = 7 * 24 * 3_600_000;

/** What the sandbox can be asked later. */
export const followedSandbox = ({ book, now, charges, refunds, news }: Parts) => {
  const slowOf = (kept: KeptCharge | undefined): SlowCharge | undefined =>
    kept !== undefined && isSlow(kept) ? kept : undefined;

  /** What was taken. @returns undefined for a charge that does not say it */
  const capturedBy = (state: ChargeState): Money | undefined =>
    'reference' in state && !('waitsFor' in state) && !('canceled' in state) ? state.amount : undefined;

  const reversalOf = async (refundId: string, kept: Verdict | KeptRefund): Promise<ReversalState> => {
    if (!isKeptRefund(kept)) return kept;
    const payment = paymentOf(kept.chargeReference);
    const charge = payment && (await book.find<KeptCharge>(payment));
    const captured = payment && charge ? capturedBy(await charges.stateOf(payment, charge)) : undefined;
    return refunds.stateOf(refundId, kept, slowOf(charge), captured);
  };

  const disputesOf = (payment: PaymentId, charge: SlowCharge, amount: Money): readonly DisputeDetails[] => {
    const { disputedAfter = Number.POSITIVE_INFINITY, lostAfter = disputedAfter } =
      storyOf(charge.token) ?? {};
    const age = now() - charge.begunAt;
    if (age < disputedAfter) return [];
    return [
      {
        ...{ amount, reason: 'fraudulent', providerReference: `${referenceOf(payment)}_dispute` },
        status: age < lostAfter ? 'needs_response' : 'lost',
        evidenceDueAt: Instant.at(charge.begunAt + disputedAfter + evidencePeriodMs),
      },
    ];
  };

  const inspect = async (reference: string): Promise<Movements | undefined> => {
    const payment = paymentOf(reference);
    const kept = payment && (await book.find<KeptCharge>(payment));
    if (payment === undefined || kept === undefined) return undefined;
    const charge = await charges.stateOf(payment, kept);
    const [slow, captured] = [slowOf(kept), capturedBy(charge)];
    return {
      ...{ reference, paymentId: payment, charge },
      refunds: await refunds.list(payment, slow, captured),
      disputes: slow && captured ? disputesOf(payment, slow, captured) : [],
    };
  };

  /** Tells in advance what will happen to a charge by itself. */
  const announce = async (payment: PaymentId, charge: SlowCharge): Promise<void> => {
    const { refundedAfter, disputedAfter, lostAfter } = storyOf(charge.token) ?? {};
    for (const after of [refundedAfter, disputedAfter, lostAfter])
      if (after !== undefined)
        await news.tell({ kind: 'charge', reference: referenceOf(payment) }, charge.begunAt + after);
  };

  const port: FollowedCharges = {
    asksPayer: true,
    capturesLater: true,
    find: async ({ paymentId }) => {
      const kept = await book.find<KeptCharge>(paymentId);
      return kept && charges.stateOf(paymentId, kept);
    },
    cancel: async ({ paymentId }) => charges.cancel(paymentId, await charged(paymentId)),
    capture: async (request) => charges.capture(request, await charged(request.paymentId)),
    inspect,
    // The name of a refund or dispute begins with that of a charge, or is that of a refund here.
    chargeAt: async ({ kind, reference }) => {
      if (kind === 'charge') return reference;
      if (reference.endsWith('_outside')) return reference.slice(0, -'_outside'.length);
      if (kind === 'dispute') return reference.slice(0, -'_dispute'.length);
      const kept = await book.find<Verdict | KeptRefund>(paymentOf(reference) ?? '');
      return kept && isKeptRefund(kept) ? kept.chargeReference : undefined;
    },
    newsSince: news.since,
  };

  const charged = async (payment: PaymentId): Promise<KeptCharge> => {
    const kept = await book.find<KeptCharge>(payment);
    if (kept === undefined) throw new TypeError(`The sandbox has no charge of the payment ${payment}.`);
    return kept;
  };

  return { port, reversalOf, announce };
};
