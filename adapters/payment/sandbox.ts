import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider, Verdict } from '#application/ports/payment-provider.ts';

/** The verdicts of the sandbox by id, shared by all processes. */
interface SandboxLedger {
  find(id: string): Promise<string | undefined>;
  /** Stores a verdict unless there is one already. @returns the stored verdict */
  keep(id: string, verdict: string): Promise<string>;
}

/**
 * The ledger keeps verdicts for ever. The sandbox still has the window of a real provider, so that it exercises the same code: 24
 * hours, less one hour for requests in flight.
 */
const idempotencyWindowMs = 23 * 3_600_000;

/** How long `tok_slow` takes, in milliseconds. */
const slowChargeMs = 1_000;

const declined = (code: string, message: string): Verdict => ({ declined: { code, message } });

const cardDeclined = declined('card_declined', 'The card was declined.');
const unknownMethod = declined('invalid_payment_method', 'The sandbox knows no such payment method.');
const notCharged = declined('not_charged', 'The provider never received the charge.');
const notRefunded = declined('not_refunded', 'The provider never received the refund.');

const succeeded = (id: string): Verdict => ({ reference: `sandbox_${id}` });

const failed = (cause?: unknown): ApplicationError =>
  new ApplicationError('provider-failed', 'The payment provider failed.', cause);

/** Stores a verdict for an id unless there is one, and returns the stored verdict. */
type Decide = (verdict: Verdict) => Promise<Verdict>;

type Behavior = (id: string, decide: Decide) => Promise<Verdict>;

/** What each payment method does when the ledger has no verdict for the charge. */
const behaviors: ReadonlyMap<string, Behavior> = new Map<string, Behavior>([
  ['tok_ok', (id, decide) => decide(succeeded(id))],
  ['tok_declined', (_, decide) => decide(cardDeclined)],
  ['tok_error', () => Promise.reject(failed())],
  [
    'tok_timeout',
    async (id, decide) => {
      await decide(succeeded(id));
      return new Promise(() => undefined);
    },
  ],
  [
    'tok_slow',
    async (id, decide) => {
      const verdict = await decide(succeeded(id));
      await sleep(slowChargeMs);
      return verdict;
    },
  ],
]);

const declineUnknown: Behavior = (_, decide) => decide(unknownMethod);

/**
 * A provider that moves no money. The token selects its behavior: `tok_ok` charges, `tok_declined` declines, `tok_error`
 * fails, `tok_timeout` charges and never responds, `tok_slow` charges and responds after a second. The first verdict on an
 * id is final, for every process and after every restart.
 */
export const sandboxProvider = (ledger: SandboxLedger): PaymentProvider => {
  const find = async (id: string): Promise<Verdict | undefined> => {
    const text = await ledger.find(id).catch(rethrow);
    return text === undefined ? undefined : JSON.parse(text);
  };

  const decideOn =
    (id: string): Decide =>
    async (verdict) =>
      JSON.parse(await ledger.keep(id, JSON.stringify(verdict)).catch(rethrow));

  return {
    name: 'sandbox',
    idempotencyWindowMs,

    charge: async ({ paymentId, paymentMethod }) => {
      const behave = behaviors.get(paymentMethod) ?? declineUnknown;
      return (await find(paymentId)) ?? behave(paymentId, decideOn(paymentId));
    },

    closeCharge: ({ paymentId }) => decideOn(paymentId)(notCharged),
    reverse: ({ refundId }) => decideOn(refundId)(succeeded(refundId)),
    closeReversal: ({ refundId }) => decideOn(refundId)(notRefunded),
  };
};

/** An unavailable ledger is a failure of the provider: the outcome of the charge is unknown. */
const rethrow = (error: unknown): never => {
  throw error instanceof ApplicationError && error.kind === 'unavailable' ? failed(error) : error;
};
