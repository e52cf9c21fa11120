import type { ChargeState, CompleteProvider, RefundState } from '#application/ports/payment-provider.ts';
import { type Call, type HttpClient, stripeClient, timeBudget } from './api/client.ts';
import { unknownOutcome } from './api/errors.ts';
import { redactSecrets } from './api/redaction.ts';
import { cancelCharge, captureCharge } from './charges/capture.ts';
import { findCharge, makeCharge } from './charges/charge.ts';
import { closeCharge, keyWindowMs } from './charges/closing.ts';
import { listProviderEvents } from './events/list-events.ts';
import { parseWebhook } from './events/parse-webhook.ts';
import { closeRefund, makeRefund } from './refunds/refund.ts';
import { findChargeOf, retrieveSnapshot } from './snapshot/charge-snapshot.ts';

interface Options {
  readonly secretKey: string;
  /** The origin of the API, when it is not Stripe's own. */
  readonly apiBase: string | undefined;
  /** The types of payment methods that are accepted, such as `card`: by default cards only. */
  readonly methods?: readonly string[];
  /** The secrets with which Stripe signs its events. Without any, none is read. */
  readonly webhookSecrets?: readonly string[];
  /** Timeout of a call, over all its requests together, in milliseconds. */
  readonly timeoutMs: number;
  /** Called with what an operator should know, without secrets. */
  readonly warn?: (message: string) => void;
  /** Sends the requests, in place of the SDK's. */
  readonly httpClient?: HttpClient;
  /** The monotonic clock of the timeout, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Stripe, by PaymentIntents that are created and confirmed in one request. The idempotency key of a charge is the payment's
 * id, that of a refund is the refund's, that of a capture is the capture's. All are also stored in the metadata, where they can
 * be found after the key has expired.
 */
export const stripeProvider = (options: Options): CompleteProvider => {
  const { secretKey, apiBase, methods = ['card'], timeoutMs, warn = () => undefined } = options;
  const { webhookSecrets = [], httpClient, now } = options;
  const stripe = stripeClient({ secretKey, apiBase, timeoutMs, ...(httpClient && { httpClient }) });

  const ask = async <T>(requests: (call: Call) => Promise<T>, ...secrets: readonly string[]): Promise<T> => {
    try {
      return await requests({ stripe, methods, budget: timeBudget(timeoutMs, now) });
    } catch (error) {
      throw unknownOutcome(error, redactSecrets([secretKey, ...secrets]));
    }
  };

  const call = async <State extends RefundState | ChargeState>(
    requests: (call: Call) => Promise<State>,
    ...secrets: readonly string[]
  ): Promise<State> => {
    const state = await ask(requests, ...secrets);
    if (!('declined' in state)) return state;
    const { code, message } = state.declined;
    const redact = redactSecrets([secretKey, ...secrets]);
    return { ...state, declined: { code, message: redact(message) } };
  };

  const warnOfStatus = (status: string): void =>
    warn(`Stripe shows the unknown status ${status} of a dispute, which counts as under review.`);

  return {
    name: 'stripe',
    idempotencyWindowMs: keyWindowMs,
    charge: (charge) =>
      call((each) => makeCharge(each, charge), charge.paymentMethod, ...returnUrlOf(charge.payer)),
    closeCharge: (charge) => call((each) => closeCharge(each, charge)),
    refund: (request) => call((each) => makeRefund(each, request)),
    closeRefund: (request) => call((each) => closeRefund(each, request)),
    lifecycle: {
      asksPayer: true,
      findCharge: (charge) => ask((each) => findCharge(each, charge)),
      cancel: ({ reference }) => call((each) => cancelCharge(each, reference)),
      capture: (request) => call((each) => captureCharge(each, request)),
      retrieveCharge: (reference) => ask((each) => retrieveSnapshot(each, reference, warnOfStatus)),
      findChargeOf: (providerObject) => ask((each) => findChargeOf(each, providerObject)),
      listProviderEvents: (time) => ask((each) => listProviderEvents(each, time)),
      ...(webhookSecrets.length > 0 && {
        parseWebhook: async (event, now) => parseWebhook(event, webhookSecrets, now),
      }),
    },
  };
};

/** Where the payer returns to is theirs. */
const returnUrlOf = (payer: { readonly returnUrl: string | null } | undefined): readonly string[] =>
  payer?.returnUrl ? [payer.returnUrl] : [];
