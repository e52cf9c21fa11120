import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider, Verdict } from '#application/ports/payment-provider.ts';

/** The sandbox's books: texts by the ids that they are about, the same for every process. */
interface SandboxLedger {
  find(id: string): Promise<string | undefined>;
  /** Writes it down unless there is one already. @returns the one that stands */
  keep(id: string, verdict: string): Promise<string>;
}

/**
 * The books never forget, but the sandbox promises what others do, so that whatever happens in earnest happens here
 * too: they keep a key for 24 hours, and an hour is left for whatever is on its way.
 */
const memory = 23 * 3_600_000;

/** How long `tok_slow` takes, in milliseconds. */
const slowness = 1_000;

const declined = (code: string, message: string): Verdict => ({ declined: { code, message } });

const cardDeclined = declined('card_declined', 'The card was declined.');
const unknownMethod = declined('invalid_payment_method', 'The sandbox knows no such payment method.');
const notCharged = declined('not_charged', 'The provider never received the charge.');
const notRefunded = declined('not_refunded', 'The provider never received the refund.');

const done = (id: string): Verdict => ({ reference: `sandbox_${id}` });

const failed = (cause?: unknown): ApplicationError =>
  new ApplicationError('provider-failed', 'The payment provider failed.', cause);

/** Gives the verdict that stands for an id once this one has been brought forward. */
type Rule = (verdict: Verdict) => Promise<Verdict>;

type Behaviour = (id: string, rule: Rule) => Promise<Verdict>;

/** What each payment method does when the books say nothing of the charge yet. */
const behaviours: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['tok_ok', (id, rule) => rule(done(id))],
  ['tok_declined', (_, rule) => rule(cardDeclined)],
  ['tok_error', () => Promise.reject(failed())],
  [
    'tok_timeout',
    async (id, rule) => {
      await rule(done(id));
      return new Promise(() => undefined);
    },
  ],
  [
    'tok_slow',
    async (id, rule) => {
      const verdict = await rule(done(id));
      await pause(slowness);
      return verdict;
    },
  ],
]);

const declineUnknown: Behaviour = (_, rule) => rule(unknownMethod);

/**
 * A provider that moves no money. The token says what it does: `tok_ok` charges, `tok_declined` declines, `tok_error`
 * fails, `tok_timeout` charges and never answers, `tok_slow` charges and answers after a second. Whatever it has said
 * of an id stands, for every process and after every restart, as long as the books do.
 */
export const sandboxProvider = (ledger: SandboxLedger): PaymentProvider => {
  const find = async (id: string): Promise<Verdict | undefined> => {
    const text = await ledger.find(id).catch(fail);
    return text === undefined ? undefined : JSON.parse(text);
  };

  const ruleOn =
    (id: string): Rule =>
    async (verdict) =>
      JSON.parse(await ledger.keep(id, JSON.stringify(verdict)).catch(fail));

  return {
    name: 'sandbox',
    idempotencyWindowMs: memory,

    charge: async ({ paymentId, paymentMethod }) => {
      const behave = behaviours.get(paymentMethod) ?? declineUnknown;
      return (await find(paymentId)) ?? behave(paymentId, ruleOn(paymentId));
    },

    closeCharge: ({ paymentId }) => ruleOn(paymentId)(notCharged),
    reverse: ({ refundId }) => ruleOn(refundId)(done(refundId)),
    closeReversal: ({ refundId }) => ruleOn(refundId)(notRefunded),
  };
};

/** Books that are away are the provider's own affair: whoever asked learns that the outcome is not known. */
const fail = (error: unknown): never => {
  throw error instanceof ApplicationError && error.kind === 'unavailable' ? failed(error) : error;
};
