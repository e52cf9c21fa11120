import { stripeClient } from './client.ts';
import { openOutcome } from './failures.ts';
import { hideIn } from './secrets.ts';

/**
 * Asks for something that any key of an account may see, and changes nothing.
 * @throws ApplicationError 'provider-failed', 'provider-timeout'; its cause has the `status` of the answer, if there was one
 */
export const reachStripe = async (settings: Parameters<typeof stripeClient>[0]): Promise<void> => {
  try {
    await stripeClient(settings).paymentIntents.list({ limit: 1 });
  } catch (error) {
    throw openOutcome(error, hideIn([settings.secretKey]));
  }
};
