import { expect } from 'chai';
import { stripeProvider } from '#adapters/payment/stripe/provider.ts';
import { ApplicationError } from '#application/errors.ts';
import type { CompleteProvider } from '#application/ports/payment-provider.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { type CannedServer, cannedServer, type Script } from '../../stripe/canned.ts';
import { StripeServer } from '../../stripe/stripe-server.ts';

export const secretKey = 'sk_test_51NotToBeSeenAnywhere';

/** Stripe's SDK and ours, against whatever is at that address. */
export const stripeAt = (
  apiBase: string,
  timeoutMs = 10_000,
  warn?: (message: string) => void,
): CompleteProvider => stripeProvider({ secretKey, apiBase, timeoutMs, ...(warn && { warn }) });

/** One server for the tests of the surrounding `describe`, as new for each of them. */
export const stripeServer = (): (() => StripeServer) => {
  let stripe: StripeServer | undefined;
  before(async () => {
    stripe = await StripeServer.start();
  });
  after(() => stripe?.stop());
  const running = (): StripeServer => {
    if (stripe === undefined) throw new Error('The server runs while the tests run.');
    return stripe;
  };
  beforeEach(() => running().reset());
  return running;
};

/** Servers with scripted responses, closed behind each test. */
export const cannedServers = (): ((script: Script) => Promise<CannedServer>) => {
  const servers: CannedServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
  return async (script) => {
    const server = await cannedServer(script);
    servers.push(server);
    return server;
  };
};

/** The error that it was thrown with, where the outcome is not known. */
export const openOutcomeOf = async (
  outcome: Promise<unknown>,
  kind: 'provider-failed' | 'provider-timeout',
): Promise<ApplicationError> => {
  const rejection = await rejectionOf(outcome);
  if (!(rejection instanceof ApplicationError)) throw rejection;
  expect(rejection.kind).to.equal(kind);
  return rejection;
};
