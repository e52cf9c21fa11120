import Stripe from 'stripe';
import type { HttpClient } from '#adapters/payment/stripe/api/client.ts';
import { stripeProvider } from '#adapters/payment/stripe/provider.ts';
import type { CompleteProvider } from '#application/ports/payment-provider.ts';
import type { StripeServer } from '../../stripe/stripe-server.ts';
import { secretKey } from './stripe.ts';

/** Ways in which a request gets no response: what the error is, and how many charges or refunds are made all the same. */
export const fates = [
  ['fail', 'provider-failed', 0],
  ['failAfter', 'provider-failed', 1],
  ['drop', 'provider-failed', 1],
  ['dropBefore', 'provider-failed', 0],
  ['stall', 'provider-timeout', 1],
] as const;

export type Fate = (typeof fates)[number];

interface Impatient {
  readonly provider: CompleteProvider;
  /** How long it has waited for late responses, in milliseconds. */
  readonly waitedMs: () => number;
}

/** Stripe's SDK and ours in simulated time: a request that the server delays ends by its timeout at once. */
export const impatientAt = (stripe: StripeServer, timeoutMs: number): Impatient => {
  const sdk = Stripe.createNodeHttpClient();
  let nowMs = 0;
  const now = () => nowMs;

  const makeRequest: HttpClient['makeRequest'] = async (...request) => {
    const [, , , , , , , requestTimeoutMs] = request;
    let isOpen = true;
    const timeout = async (): Promise<never> => {
      await stripe.delayed();
      if (isOpen) nowMs += requestTimeoutMs;
      throw Stripe.HttpClient.makeTimeoutError();
    };
    try {
      return await Promise.race([sdk.makeRequest(...request), timeout()]);
    } finally {
      isOpen = false;
    }
  };
  const httpClient: HttpClient = { getClientName: () => sdk.getClientName(), makeRequest };
  return {
    provider: stripeProvider({ secretKey, apiBase: stripe.url, timeoutMs, httpClient, now }),
    waitedMs: now,
  };
};
