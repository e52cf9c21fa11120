import { setTimeout as sleep } from 'node:timers/promises';
import type { Charge, ChargeState, Verdict } from '#application/ports/charge.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { chargesOf, isSlow, type KeptCharge, referenceOf, slowChargeOf } from './charges.ts';
import { followedSandbox } from './followed.ts';
import { bookOf, providerFailed, type SandboxLedger } from './ledger.ts';
import { newsOf } from './news.ts';
import { isKeptRefund, refundsOf } from './refunds.ts';
import { storyOf } from './tokens.ts';

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

/** Stores what becomes of a charge unless there is something, and returns what is stored. */
type Decide = (kept: KeptCharge) => Promise<ChargeState>;

/** @param charged what the ledger gets when the charge succeeds, or begins to */
type Behavior = (charged: KeptCharge, decide: Decide) => Promise<ChargeState>;

/** What each payment method does when the ledger has nothing for the charge. */
const behaviors: ReadonlyMap<string, Behavior> = new Map<string, Behavior>([
  ['tok_ok', (charged, decide) => decide(charged)],
  ['tok_declined', (_, decide) => decide(cardDeclined)],
  ['tok_error', () => Promise.reject(providerFailed())],
  [
    'tok_timeout',
    async (charged, decide) => {
      await decide(charged);
      return new Promise(() => undefined);
    },
  ],
  [
    'tok_slow',
    async (charged, decide) => {
      const state = await decide(charged);
      await sleep(slowChargeMs);
      return state;
    },
  ],
]);

const decideAtOnce: Behavior = (charged, decide) => decide(charged);
const declineUnknown: Behavior = (_, decide) => decide(unknownMethod);

/**
 * A provider that moves no money. The token selects its behavior: `tok_ok` charges, `tok_declined` declines, `tok_error`
 * fails, `tok_timeout` charges and never responds, `tok_slow` charges and responds after a second; the others take their time, as
 * `tokens.ts` lists them. The first verdict on an id is final, for every process and after every restart.
 * @param now the time in milliseconds since 1970, alike for all processes
 */
export const sandboxProvider = (ledger: SandboxLedger, now: () => number = Date.now): PaymentProvider => {
  const book = bookOf(ledger);
  const [charges, refunds, news] = [chargesOf(book, now), refundsOf(book, now), newsOf(book, now)];
  const followed = followedSandbox({ book, now, charges, refunds, news });

  const charge = async (request: Charge): Promise<ChargeState> => {
    const { paymentId: id, paymentMethod: token } = request;
    const kept = await book.find<KeptCharge>(id);
    if (kept !== undefined) return charges.stateOf(id, kept);
    const slow = slowChargeOf(request, now());
    const decide: Decide = async (wanted) => {
      // Before the charge is stored, so that a crash leaves no charge of which nothing is told.
      if (isSlow(wanted)) await followed.announce(id, wanted);
      return charges.stateOf(id, await book.keep<KeptCharge>(id, wanted));
    };
    const behave = behaviors.get(token) ?? (storyOf(token) ? decideAtOnce : declineUnknown);
    return behave(slow ?? { reference: referenceOf(id) }, decide);
  };

  return {
    name: 'sandbox',
    idempotencyWindowMs,
    charge,
    closeCharge: async ({ paymentId }) => {
      const kept = await book.keep<KeptCharge>(paymentId, notCharged);
      const state = await charges.cancel(paymentId, kept);
      return 'waitsFor' in state ? charges.stateOf(paymentId, kept) : state;
    },
    reverse: async (reversal) => {
      const { refundId } = reversal;
      return followed.reversalOf(refundId, await refunds.begin(refundId, reversal));
    },
    closeReversal: async ({ refundId }) => {
      const kept = await book.keep<Verdict>(refundId, notRefunded);
      return isKeptRefund(kept) ? followed.reversalOf(refundId, kept) : kept;
    },
    followed: followed.port,
  };
};
