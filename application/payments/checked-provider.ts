import { Money } from '#domain/money.ts';
import type { Failure } from '#domain/payment.ts';
import { ProviderMismatch } from '../errors.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { CaptureRequest, ChargeLifecycle } from '../ports/charge-lifecycle.ts';
import type {
  BegunCharge,
  PaymentProvider,
  ProviderConfirmation,
  RefundRequest,
  RefundState,
} from '../ports/payment-provider.ts';
import { wrappedLifecycle } from './provider-capabilities.ts';

/** Called with every difference between what a provider was asked for and what it reports. */
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
 * Compares every outcome of a provider with what was asked. An outcome that differs is never recorded: it is reported, and the
 * payment or refund stays pending.
 */
export const checkedProvider = (provider: PaymentProvider, report: ReportMismatch): PaymentProvider => {
  const check = async <State extends RefundState | ChargeState>(
    asked: Asked,
    pending: Promise<State>,
  ): Promise<State> => {
    const outcome = await pending;
    const difference = differenceOf(asked, outcome) ?? differenceFromOffer(provider, outcome);
    return difference === undefined ? outcome : reject(asked, difference);
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
  const refunded = ({ refundId: id, amount, chargeReference }: RefundRequest): Asked => ({
    process: 'refund',
    subject: id,
    id,
    amount,
    chargeReference,
  });

  const checkedLifecycle = (lifecycle: ChargeLifecycle): ChargeLifecycle =>
    wrappedLifecycle(lifecycle, {
      findCharge: (findCharge) => async (charge) => {
        const state = await findCharge(charge);
        return state === undefined ? undefined : check(charged(charge), Promise.resolve(state));
      },
      cancel: (cancel) => (charge) => check(charged(charge), cancel(charge)),
      capture: (capture) => (request) => check(captured(request), capture(request)),
      // What the charge reports is compared where it is recorded, because only there the payment is known.
      retrieveCharge: (retrieveCharge) => async (reference) => {
        const snapshot = await retrieveCharge(reference);
        if (snapshot === undefined || snapshot.reference === reference) return snapshot;
        const subject = snapshot.paymentId ?? reference;
        return reject(
          { process: 'payment', subject },
          `It returned ${snapshot.reference} where ${reference} was asked.`,
        );
      },
      findChargeOf: (findChargeOf) => findChargeOf,
      listProviderEvents: (listProviderEvents) => listProviderEvents,
      parseWebhook: (parseWebhook) => parseWebhook,
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
    refund: (request) => check(refunded(request), provider.refund(request)),
    closeRefund: (request) => check(refunded(request), provider.closeRefund(request)),
    ...(provider.lifecycle && { lifecycle: checkedLifecycle(provider.lifecycle) }),
  };
};

/** How an outcome differs from what was asked. @returns undefined when it can be recorded */
const differenceOf = (asked: Asked, outcome: RefundState | ChargeState): string | undefined => {
  // An external module may return anything, whatever its types promise.
  if (typeof outcome !== 'object' || outcome === null) return 'It returned no outcome.';
  const { declined, reference, amount, id, chargeReference }: Words = outcome;
  if ('declined' in outcome) {
    // Recorded as declined, money that it has moved after all would be asked for again.
    if (reference !== undefined) return `It declined, and yet gave the reference ${reference}.`;
    const { code, message } = declined ?? {};
    return isText(code) && isText(message) ? undefined : 'It declined without a code and a message.';
  }
  if (!isText(reference)) return 'It gave no reference.';
  if (asked.reference !== undefined && reference !== asked.reference)
    return `It returned ${reference} where ${asked.reference} was asked.`;
  const isCaptured = asked.isCapturedLater && !('waitsFor' in outcome) && !('canceled' in outcome);
  const fits = isCaptured ? isPart : isSameMoney;
  if (amount !== undefined && !fits(amount, asked.amount)) {
    return `It reports ${shown(amount)} where ${shown(asked.amount)} was asked.`;
  }
  if (id !== undefined && id !== asked.id) return `It names ${id} where ${asked.id} was asked.`;
  if (chargeReference !== undefined && chargeReference !== asked.chargeReference) {
    return `It names the charge ${chargeReference} where ${asked.chargeReference} was asked.`;
  }
  return undefined;
};

/** What waits has to be asked about later. @returns undefined when the provider can be asked about it */
const differenceFromOffer = (
  { lifecycle }: PaymentProvider,
  outcome: RefundState | ChargeState,
): string | undefined => {
  if (!('waitsFor' in outcome)) return undefined;
  const { waitsFor } = outcome;
  if (lifecycle === undefined) return `It waits for the ${waitsFor}, and cannot be asked later.`;
  if (waitsFor === 'payer' && !lifecycle.asksPayer)
    return 'It waits for the payer, and does not offer to ask.';
  if (waitsFor === 'capture' && !lifecycle.capture) return 'It waits for a capture, and does not offer one.';
  return undefined;
};

/** All that an outcome may report, whether or not it is consistent. */
type Words = Partial<ProviderConfirmation> & { readonly declined?: Failure };

/** A database of UTF-8 texts holds no NUL. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\0');

const isPart = (amount: Money | null, asked: Money): boolean =>
  amount !== null && Money.isPart(amount, asked);

const isSameMoney = (amount: Money | null, asked: Money): boolean =>
  amount !== null && Money.equals(amount, asked);

const shown = (money: Money | null): string => (money === null ? 'no amount' : Money.format(money));
