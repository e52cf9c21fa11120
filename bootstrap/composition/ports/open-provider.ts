import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { withTimeout } from '#adapters/support/timeout.ts';
import { ApplicationError } from '#application/errors.ts';
import { wrappedLifecycle } from '#application/payments/provider-capabilities.ts';
import type { ChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { Clock } from '#application/ports/system.ts';
import { SettingError } from '../../config/env-parser.ts';
import type { PaymentSettings } from '../../config/payment.ts';
import { stripeVersion } from '../../process/version.ts';
import type { Closable } from '../tokens.ts';
import { openCustomProvider } from './custom-provider.ts';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Whether Stripe's SDK is installed. It is an optional peer dependency, because of its size. */
export const hasStripe = (): boolean => {
  try {
    import.meta.resolve('stripe');
    return true;
  } catch {
    return false;
  }
};

/** Adds Stripe's SDK to a production install. Without `--save-prod` npm treats it as a development dependency and skips it. */
export const installStripe = `npm install --no-save --save-prod --omit=dev stripe@${stripeVersion}`;

/** The command for the operator, with its folder. */
export const installStripeHere = `${installStripe} in ${root}`;

/**
 * Opens the configured payment provider. Stripe's SDK is loaded only when it is used.
 * @param warn called with what an operator should know of the provider
 * @throws SettingError when the SDK is not installed, or a module from outside cannot be used
 */
export const openProvider = async (
  settings: PaymentSettings,
  sandbox: { readonly ledger: Store['sandboxLedger']; readonly clock: Clock },
  timeoutMs: number,
  warn: (message: string) => void = () => undefined,
): Promise<Closable<PaymentProvider>> => {
  if (settings.provider === 'sandbox') return sandboxProvider(sandbox.ledger, sandbox.clock);
  if (settings.provider === 'custom') return openCustomProvider(settings.module, timeoutMs);
  if (!hasStripe()) {
    throw new SettingError(
      'PAYMENT_PROVIDER',
      `is stripe, whose package is not installed: run ${installStripeHere}.`,
    );
  }
  const { stripeProvider } = await import('#adapters/payment/stripe/provider.ts');
  return stripeProvider({ ...settings, timeoutMs, warn });
};

const timedOut: unique symbol = Symbol('timed out');

/** How long the list of events may take, in milliseconds: that of thirty days has many pages, each of them a call. */
const defaultListTimeoutMs = 600_000;

/** Bounds a call. After the time it throws ApplicationError 'provider-timeout'. */
type Bound = <T>(call: Promise<T>) => Promise<T>;

/**
 * Bounds each call to a provider.
 * @param timeoutMs after which a call throws ApplicationError 'provider-timeout', in milliseconds
 * @param listTimeoutMs the same for the list of events
 */
export const withProviderTimeout = (
  provider: PaymentProvider,
  timeoutMs: number,
  listTimeoutMs = defaultListTimeoutMs,
): PaymentProvider => {
  const within =
    (ms: number): Bound =>
    async (call) => {
      const outcome = await withTimeout(ms, call, timedOut);
      if (outcome !== timedOut) return outcome;
      throw new ApplicationError('provider-timeout', 'The payment provider did not respond in time.');
    };
  const bounded = within(timeoutMs);

  return {
    name: provider.name,
    idempotencyWindowMs: provider.idempotencyWindowMs,
    charge: (charge) => bounded(provider.charge(charge)),
    closeCharge: (charge) => bounded(provider.closeCharge(charge)),
    refund: (request) => bounded(provider.refund(request)),
    closeRefund: (request) => bounded(provider.closeRefund(request)),
    ...(provider.lifecycle && {
      lifecycle: lifecycleWithTimeout(provider.lifecycle, bounded, within(listTimeoutMs)),
    }),
  };
};

/** Bounds each call that asks a provider later. */
const lifecycleWithTimeout = (
  lifecycle: ChargeLifecycle,
  bounded: Bound,
  boundedList: Bound,
): ChargeLifecycle =>
  wrappedLifecycle(lifecycle, {
    findCharge: (findCharge) => (charge) => bounded(findCharge(charge)),
    retrieveCharge: (retrieveCharge) => (reference) => bounded(retrieveCharge(reference)),
    cancel: (cancel) => (charge) => bounded(cancel(charge)),
    capture: (capture) => (request) => bounded(capture(request)),
    findChargeOf: (findChargeOf) => (providerObject) => bounded(findChargeOf(providerObject)),
    listProviderEvents: (listProviderEvents) => (time) => boundedList(listProviderEvents(time)),
    parseWebhook: (parseWebhook) => (event, now) => bounded(parseWebhook(event, now)),
  });
