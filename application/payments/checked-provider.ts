import { Money } from '#domain/money.ts';
import type { Failure } from '#domain/payment.ts';
import { ProviderMismatch } from '../errors.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { CaptureRequest, FollowedCharges } from '../ports/charge-lifecycle.ts';
import type {
  BegunCharge,
  Moved,
  PaymentProvider,
  Reversal,
  ReversalState,
} from '../ports/payment-provider.ts';
import { wrappedFollowedCharges } from './provider-capabilities.ts';

/** Called with every difference between what was asked of a provider and what it says. */
export type ReportMismatch = (mismatch: ProviderMismatch) => void;

/** What a provider was asked for. */
interface Asked {
  readonly process: ProviderMismatch['process'];
  /** The id of the payment, refund or capture. */
  readonly subject: string;
  /** What the provider calls it by: the id of the payment or refund. */
  readonly id: string;
  readonly amount: Money;
  /** Whether less may have been captured, as in the provider's dashboard. */
  readonly isCapturedLater?: boolean;
  readonly chargeReference?: string;
  /** The provider's reference of the charge that was asked for. */
  readonly reference?: string;
}

/**
 * Compares every verdict of a provider with what was asked. A verdict that differs is never recorded: it is reported, and the
 * payment or refund stays pending.
 */
export const checkedProvider = (provider: PaymentProvider, report: ReportMismatch): PaymentProvider => {
  const check = async <State extends ReversalState | ChargeState>(
    asked: Asked,
    pending: Promise<State>,
  ): Promise<State> => {
    const verdict = await pending;
    const difference = differenceOf(asked, verdict) ?? differenceFromOffer(provider, verdict);
    return difference === undefined ? verdict : reject(asked, difference);
  };
  const reject = ({ process, subject }: Pick<Asked, 'process' | 'subject'>, difference: string): never => {
    const mismatch = new ProviderMismatch(process, subject, difference);
    report(mismatch);
    throw mismatch;
  };
  const charged = ({
    paymentId: id,
    amount,
    captureMethod,
    reference,
  }: BegunCharge & Pick<Asked, 'reference'>): Asked => ({
    process: 'payment',
    subject: id,
    id,
    amount,
    isCapturedLater: captureMethod === 'manual',
    ...(reference !== undefined && { reference }),
  });
  const captured = ({ captureId: subject, paymentId: id, amount }: CaptureRequest): Asked => ({
    process: 'capture',
    subject,
    id,
    amount,
  });
  const reversed = ({ refundId: id, amount, chargeReference }: Reversal): Asked => ({
    process: 'refund',
    subject: id,
    id,
    amount,
    chargeReference,
  });

  const checkedFollowed = (followed: FollowedCharges): FollowedCharges =>
    wrappedFollowedCharges(followed, {
      find: (find) => async (charge) => {
        const state = await find(charge);
        return state === undefined ? undefined : check(charged(charge), Promise.resolve(state));
      },
      cancel: (cancel) => (charge) => check(charged(charge), cancel(charge)),
      capture: (capture) => (request) => check(captured(request), capture(request)),
      // What the charge says is compared where it is recorded, because only there the payment is known.
      inspect: (inspect) => async (reference) => {
        const movements = await inspect(reference);
        if (movements === undefined || movements.reference === reference) return movements;
        const subject = movements.paymentId ?? reference;
        return reject(
          { process: 'payment', subject },
          `It tells of ${movements.reference} where ${reference} was asked.`,
        );
      },
      chargeAt: (chargeAt) => chargeAt,
      newsSince: (newsSince) => newsSince,
      readEvent: (readEvent) => readEvent,
    });

  return {
    get name() {
      return provider.name;
    },
    get idempotencyWindowMs() {
      return provider.idempotencyWindowMs;
    },
    charge: (charge) => check(charged(charge), provider.charge(charge)),
    closeCharge: (charge) => check(charged(charge), provider.closeCharge(charge)),
    reverse: (reversal) => check(reversed(reversal), provider.reverse(reversal)),
    closeReversal: (reversal) => check(reversed(reversal), provider.closeReversal(reversal)),
    ...(provider.followed && { followed: checkedFollowed(provider.followed) }),
  };
};

/** How a verdict differs from what was asked. @returns undefined when it can be recorded */
const differenceOf = (asked: Asked, verdict: ReversalState | ChargeState): string | undefined => {
  // A provider from outside may say anything, whatever its types promise.
  if (typeof verdict !== 'object' || verdict === null) return 'It gave no verdict.';
  const { declined, reference, amount, id, chargeReference }: Words = verdict;
  if ('declined' in verdict) {
    // Recorded as declined, money that it has moved after all would be asked for again.
    if (reference !== undefined) return `It declined, and yet gave the reference ${reference}.`;
    const { code, message } = declined ?? {};
    return isText(code) && isText(message) ? undefined : 'It declined without a code and a message.';
  }
  if (!isText(reference)) return 'It gave no reference.';
  if (asked.reference !== undefined && reference !== asked.reference)
    return `It tells of ${reference} where ${asked.reference} was asked.`;
  const isCaptured = asked.isCapturedLater && !('waitsFor' in verdict) && !('canceled' in verdict);
  const fits = isCaptured ? isPart : isSameMoney;
  if (amount !== undefined && !fits(amount, asked.amount)) {
    return `It says ${shown(amount)} where ${shown(asked.amount)} was asked.`;
  }
  if (id !== undefined && id !== asked.id) return `It names ${id} where ${asked.id} was asked.`;
  if (chargeReference !== undefined && chargeReference !== asked.chargeReference) {
    return `It names the charge ${chargeReference} where ${asked.chargeReference} was asked.`;
  }
  return undefined;
};

/** What waits has to be asked about later. @returns undefined when the provider can be asked about it */
const differenceFromOffer = (
  { followed }: PaymentProvider,
  verdict: ReversalState | ChargeState,
): string | undefined => {
  if (!('waitsFor' in verdict)) return undefined;
  const { waitsFor } = verdict;
  if (followed === undefined) return `It waits for the ${waitsFor}, and cannot be asked later.`;
  if (waitsFor === 'payer' && !followed.asksPayer)
    return 'It waits for the payer, and does not offer to ask.';
  if (waitsFor === 'capture' && !followed.capture) return 'It waits for a capture, and does not offer one.';
  return undefined;
};

/** All that a verdict may say, whether or not it fits together. */
type Words = Partial<Moved> & { readonly declined?: Failure };

/** A database of UTF-8 texts holds no NUL. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\0');

const isPart = (amount: Money | null, asked: Money): boolean =>
  amount !== null && Money.isPart(amount, asked);

const isSameMoney = (amount: Money | null, asked: Money): boolean =>
  amount !== null && Money.equals(amount, asked);

const shown = (money: Money | null): string =>
  money === null ? 'no amount' : `${money.amount} ${money.currency}`;
