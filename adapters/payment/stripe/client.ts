import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import Stripe from 'stripe';

interface Settings {
  readonly secretKey: string;
  readonly apiBase: string | undefined;
  readonly timeoutMilliseconds: number;
}

/**
 * A connection that has idled for so long is closed from this side, before the other closes it just as it is used again.
 * Servers wait for five seconds at the least.
 */
const idleMilliseconds = 4_000;

/** The SDK, which tries nothing twice: whether to ask again is for whoever knows what was asked. */
export const stripeClient = ({ secretKey, apiBase, timeoutMilliseconds }: Settings): Stripe => {
  const base = new URL(apiBase ?? 'https://api.stripe.com');
  const protocol = base.protocol === 'http:' ? 'http' : 'https';
  const options = { keepAlive: true, timeout: idleMilliseconds };
  const agent = protocol === 'http' ? new HttpAgent(options) : new HttpsAgent(options);
  return new Stripe(secretKey, {
    protocol,
    // Of an IPv6 address an origin has the brackets too.
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port || (protocol === 'http' ? 80 : 443),
    timeout: timeoutMilliseconds,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: once(Stripe.createNodeHttpClient(agent)),
  });
};

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * Even where it is told to try nothing twice, the SDK asks again when a connection is closed. It can tell by a code, which
 * is left out here; that of a time-out stays.
 */
const once = (client: HttpClient): HttpClient => ({
  getClientName: () => client.getClientName(),
  makeRequest: (...request) =>
    client.makeRequest(...request).catch((error: NodeJS.ErrnoException) => {
      if (error.code === Stripe.HttpClient.TIMEOUT_ERROR_CODE) throw error;
      throw new Error(error.message || error.code);
    }),
});
