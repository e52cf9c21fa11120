import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripeVersion } from '../process/version.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Whether Stripe's SDK is among the packages. It is a quarter of their size, so those alone have it who ask for it. */
export const hasStripe = (): boolean => {
  try {
    import.meta.resolve('stripe');
    return true;
  } catch {
    return false;
  }
};

/** Adds it to packages for production. Without `--save-prod` npm counts it among those for development, and adds nothing. */
export const installStripe = `npm install --no-save --save-prod --omit=dev stripe@${stripeVersion}`;

/** What an operator runs, and where. */
export const installStripeHere = `${installStripe} in ${root}`;
