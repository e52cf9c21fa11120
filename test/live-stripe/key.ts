/**
 * The key of a Stripe test account.
 * @throws Error for every other: with a live key real cards would be charged. The message does not show the key
 */
export const testKeyIn = ({
  STRIPE_SECRET_KEY: key = '',
}: Readonly<Record<string, string | undefined>>): string => {
  if (key === '')
    throw new Error('Set STRIPE_SECRET_KEY to the secret key of a Stripe test account (sk_test_…).');
  if (/^[rs]k_live_/.test(key))
    throw new Error(
      'STRIPE_SECRET_KEY is a live key: with it real money would move. Use a test key (sk_test_…).',
    );
  if (/^[rs]k_test_\w+$/.test(key)) return key;
  throw new Error('STRIPE_SECRET_KEY is no test key: it must begin with sk_test_ or rk_test_.');
};
