import type { PaymentSettings } from '../../../config/payment.ts';
import { type Finding, findingsFor } from '../finding.ts';

const money = findingsFor('money');
const webhook = findingsFor('webhook');

/** Whether payments move money, and how news from the provider arrive. */
export const checkPayments = (settings: PaymentSettings): readonly Finding[] => [
  checkMoney(settings),
  webhook.ok('none is needed: Portico asks the provider itself until a payment is settled'),
];

const checkMoney = (settings: PaymentSettings): Finding => {
  if (settings.provider === 'sandbox') {
    return money.warn(
      'the sandbox pays every order, and no money moves',
      'Set PAYMENT_PROVIDER=stripe, or to a provider of your own: docs/adapters.md.',
    );
  }
  if (settings.provider === 'stripe' && settings.secretKey.includes('_test_')) {
    return money.warn(
      'a test key of Stripe is used, and no money moves',
      'Set STRIPE_SECRET_KEY to a live key.',
    );
  }
  return money.ok('payments move money');
};
