import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';

/** The version of the API that this adapter understands. It is the one that the installed SDK is made for. */
export const apiVersion = '2026-10-28.endive';

export type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

export interface ClientOptions {
  readonly secretKey: string;
  readonly apiBase: string | undefined;
  readonly timeoutMs: number;
  /** Sends the requests, by default over connections that are kept. */
  readonly httpClient?: HttpClient;
}

/**
 * Closes an idle connection before the server does, so that no request meets a connection that is being closed (keep-alive
 * race). Servers keep an idle connection for at least five seconds.
 */
const idleTimeoutMs = 4_000;

/** The SDK, without its retries: only the caller knows whether a request can be repeated. */
export const stripeClient = ({ secretKey, apiBase, timeoutMs, httpClient }: ClientOptions): Stripe => {
  const base = new URL(apiBase ?? 'https://api.stripe.com');
  const protocol = base.protocol === 'http:' ? 'http' : 'https';
  const options = { keepAlive: true, timeout: idleTimeoutMs };
  const agent = protocol === 'http' ? new HttpAgent(options) : new HttpsAgent(options);
  return new Stripe(secretKey, {
    apiVersion,
    protocol,
    // The SDK expects an IPv6 address without the brackets of a URL.
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port || (protocol === 'http' ? 80 : 443),
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: withoutRetries(httpClient ?? Stripe.createNodeHttpClient(agent)),
  });
};

/**
 * Hides the error code of a closed connection, by which the SDK decides to retry even with `maxNetworkRetries: 0`. The code
 * of a timeout stays.
 */
const withoutRetries = (client: HttpClient): HttpClient => ({
  getClientName: () => client.getClientName(),
  makeRequest: (...request) =>
    client.makeRequest(...request).catch((error: NodeJS.ErrnoException) => {
      if (error.code === Stripe.HttpClient.TIMEOUT_ERROR_CODE) throw error;
      throw new Error(error.message || error.code);
    }),
});

/**
 * The time left of a budget that several requests share, as the SDK's `timeout` option.
 * @param fraction of the remaining time, from 0 to 1
 * @throws ApplicationError 'provider-timeout' when the budget is exhausted
 */
export type TimeBudget = (fraction?: number) => { readonly timeout: number };

/** @param totalMs for all requests together, in milliseconds @param now a monotonic clock in milliseconds */
export const timeBudget = (totalMs: number, now = () => performance.now()): TimeBudget => {
  const deadline = now() + totalMs;
  return (fraction = 1) => {
    const timeout = Math.ceil((deadline - now()) * fraction);
    if (timeout > 0) return { timeout };
    throw new ApplicationError('provider-timeout', 'The payment provider did not respond in time.');
  };
};

/** What every request of a call needs. */
export interface Call {
  readonly stripe: Stripe;
  /** The types of payment methods that are accepted. */
  readonly methods: readonly string[];
  readonly budget: TimeBudget;
}
