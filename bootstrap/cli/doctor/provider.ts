import { ApplicationError } from '#application/errors.ts';
import { hasStripe, installStripeHere } from '../../composition/stripe-package.ts';
import type { PaymentSettings } from '../../config/payment.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warn, fail } = findingsOf('provider');

/** Whether whoever moves the money can be reached, and knows the key. */
export const checkProvider = async (
  settings: PaymentSettings,
  timeoutMilliseconds: number,
): Promise<Finding> => {
  if (settings.provider === 'sandbox') return ok('the sandbox is built in, and moves no money');
  if (!hasStripe()) return fail("Stripe's package is not here", `Run ${installStripeHere}.`);
  const { reachStripe } = await import('#adapters/payment/stripe/reach.ts');
  try {
    await reachStripe({ ...settings, timeoutMilliseconds });
    const isTest = settings.secretKey.includes('_test_');
    return ok(`Stripe knows the key${isTest ? ', which is one for tests: no money moves' : ''}`);
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    const { message, status } = error.cause as Error & { readonly status?: number };
    if (status === 401)
      return fail(
        `Stripe does not know the key: ${message}`,
        'Set STRIPE_SECRET_KEY to a key of your account.',
      );
    if (status === 403)
      return warn(
        `Stripe lets the key do little: ${message}`,
        'Let it read and write payment intents and refunds.',
      );
    const remedy =
      'See that this machine reaches it; a proxy or a firewall may be in between, and STRIPE_API_BASE may be wrong.';
    return fail(`Stripe cannot be asked: ${message}`, remedy);
  }
};
