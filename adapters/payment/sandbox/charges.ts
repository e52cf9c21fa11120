import type { Charge, ChargeState, NextAction, Verdict } from '#application/ports/charge.ts';
import type { CaptureRequest } from '#application/ports/followed-charges.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { CaptureMethod, PaymentId } from '#domain/payment.ts';
import type { Book } from './ledger.ts';
import { type Story, storyOf } from './tokens.ts';

/** A charge that is not decided at once, as the ledger has it. */
export interface SlowCharge {
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly begunAt: number;
  readonly amount: Money;
  readonly captureMethod: CaptureMethod;
  /** Undefined when the payer is not present. */
  readonly payer?: { readonly returnUrl: string | null };
}

/** What the ledger has for a charge. */
export type KeptCharge = Verdict | SlowCharge;

/** How a charge has ended, or the capture of an authorized one. The first end is final. */
type End =
  | { readonly ended: 'decided' | 'canceled' }
  | { readonly ended: 'captured'; readonly captureId: string; readonly amount: Money };

/** How long an authorized charge can be captured, in milliseconds: seven days. */
const capturePeriodMs = 7 * 24 * 3_600_000;

export const referenceOf = (paymentId: string): string => `sandbox_${paymentId}`;

/** @returns undefined for a reference that is not of the sandbox */
export const paymentOf = (reference: string): PaymentId | undefined =>
  reference.startsWith('sandbox_') ? (reference.slice('sandbox_'.length) as PaymentId) : undefined;

export const isSlow = (kept: KeptCharge): kept is SlowCharge => 'token' in kept;

/** Tokens whose charges succeed at once. */
const tokensThatCharge: ReadonlySet<string> = new Set(['tok_ok', 'tok_timeout', 'tok_slow']);

/** A charge that is decided later, or captured later. @returns undefined for one that is decided at once */
export const slowChargeOf = (
  { paymentMethod: token, amount, captureMethod = 'automatic', payer }: Charge,
  now: number,
): SlowCharge | undefined => {
  const isLater = captureMethod === 'manual' && tokensThatCharge.has(token);
  if (storyOf(token) === undefined && !isLater) return undefined;
  return { token, begunAt: now, amount, captureMethod, ...(payer && { payer }) };
};

/** What becomes of charges that take their time. Consent, cancellation and capture compete for one place in the ledger each. */
export const chargesOf = (book: Book, now: () => number) => {
  const decisionOf = (id: PaymentId) => `${id}/decision`;
  const captureOf = (id: PaymentId) => `${id}/capture`;

  const stateOf = async (id: PaymentId, kept: KeptCharge): Promise<ChargeState> => {
    if (!isSlow(kept)) return kept;
    const moved = { reference: referenceOf(id), amount: kept.amount, id };
    const story = storyOf(kept.token) ?? {};
    const end = await decide(id, kept, story);
    if (end?.ended === 'canceled') return { canceled: true, reference: moved.reference };
    if (end === undefined) {
      return story.consentAfter === undefined
        ? { ...moved, waitsFor: 'provider' }
        : { ...moved, waitsFor: 'payer', nextAction: actionOf(id, kept) };
    }
    const isUnasked = story.consentAfter !== undefined && kept.payer === undefined;
    if (isUnasked) return { declined: authenticationRequired };
    if (story.declined !== undefined) return { declined: story.declined };
    return kept.captureMethod === 'manual' ? captured(id, kept) : moved;
  };

  /** Whether the charge is decided by now. The first that looks after its time decides it. */
  const decide = async (id: PaymentId, kept: SlowCharge, story: Story): Promise<End | undefined> => {
    const isUnasked = story.consentAfter !== undefined && kept.payer === undefined;
    const after = isUnasked ? 0 : (story.consentAfter ?? story.decisionAfter ?? 0);
    if (after === 0) return { ended: 'decided' };
    const end = await book.find<End>(decisionOf(id));
    if (end !== undefined || now() < kept.begunAt + after) return end;
    return book.keep<End>(decisionOf(id), { ended: 'decided' });
  };

  const captured = async (id: PaymentId, kept: SlowCharge): Promise<ChargeState> => {
    const moved = { reference: referenceOf(id), amount: kept.amount, id };
    const until = kept.begunAt + capturePeriodMs;
    const end =
      (await book.find<End>(captureOf(id))) ??
      (now() < until ? undefined : await book.keep<End>(captureOf(id), { ended: 'canceled' }));
    if (end === undefined) return { ...moved, waitsFor: 'capture', captureBefore: Instant.at(until) };
    return end.ended === 'captured'
      ? { ...moved, amount: end.amount }
      : { canceled: true, reference: moved.reference };
  };

  /** Gives a charge up, unless it is decided, or captured, already. */
  const cancel = async (id: PaymentId, kept: KeptCharge): Promise<ChargeState> => {
    const state = await stateOf(id, kept);
    if (!('waitsFor' in state) || state.waitsFor === 'provider') return state;
    const place = state.waitsFor === 'payer' ? decisionOf(id) : captureOf(id);
    await book.keep<End>(place, { ended: 'canceled' });
    return stateOf(id, kept);
  };

  /** Takes the money of an authorized charge. The first capture is final. */
  const capture = async (
    { captureId, paymentId, amount }: CaptureRequest,
    kept: KeptCharge,
  ): Promise<Verdict> => {
    const state = await stateOf(paymentId, kept);
    const isOpen = 'waitsFor' in state && state.waitsFor === 'capture';
    const isEnough = !isSlow(kept) || amount.amount <= kept.amount.amount;
    const end =
      isOpen && isEnough
        ? await book.keep<End>(captureOf(paymentId), { ended: 'captured', captureId, amount })
        : await book.find<End>(captureOf(paymentId));
    return end?.ended === 'captured' && end.captureId === captureId
      ? { reference: referenceOf(paymentId), amount: end.amount, id: paymentId }
      : notCapturable;
  };

  return { stateOf, cancel, capture };
};

/** The page of the payer's bank is the one to which they return. */
const actionOf = (id: PaymentId, { payer }: SlowCharge): NextAction =>
  payer?.returnUrl
    ? { type: 'redirect', url: payer.returnUrl }
    : { type: 'provider_sdk', clientSecret: `${referenceOf(id)}_secret` };

const authenticationRequired = {
  code: 'authentication_required',
  message: 'The card wants the consent of its owner, who was not present.',
};

const notCapturable: Verdict = {
  declined: {
    code: 'charge_not_capturable',
    message: 'The charge cannot be captured, or not for that much.',
  },
};
