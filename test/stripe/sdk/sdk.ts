import { expect } from 'chai';
import Stripe from 'stripe';
import { StripeServer } from '../stripe-server.ts';

interface Running {
  readonly server: StripeServer;
  /** The official SDK with the merchant's key. */
  readonly stripe: Stripe;
  /** The official SDK as the page of the payer may use it. */
  readonly page: Stripe;
}

/** One server for the tests of the surrounding `describe`, as new for each of them. */
export const runningServer = (): (() => Running) => {
  let running: Running | undefined;
  before(async () => {
    const server = await StripeServer.start();
    running = { server, stripe: sdkAt(server.url, 'sk_test_1'), page: sdkAt(server.url, 'pk_test_1') };
  });
  after(() => running?.server.stop());
  const started = (): Running => {
    if (running === undefined) throw new Error('The server runs while the tests run.');
    return running;
  };
  beforeEach(() => started().server.reset());
  return started;
};

/** The official SDK against the server at an address. */
export const sdkAt = (url: string, key: string): Stripe => {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { protocol: 'http', host: hostname, port, maxNetworkRetries: 0, telemetry: false });
};

/** The error with which Stripe rejects a request. */
export const errorOf = async (
  request: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> => {
  try {
    await request;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  return expect.fail('The request succeeds.');
};

/** A charge of 10 euros, which is confirmed at once, with a mandate for debits. */
export const aPayment = (
  payment_method: string,
  details: Partial<Stripe.PaymentIntentCreateParams> = {},
): Stripe.PaymentIntentCreateParams => ({
  amount: 1_000,
  currency: 'eur',
  allowed_payment_method_types: ['card', 'sepa_debit'],
  confirm: true,
  mandate_data: { customer_acceptance: { type: 'offline', offline: {} } },
  payment_method,
  ...details,
});
