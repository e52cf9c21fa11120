import { createHmac } from 'node:crypto';
import { stripeProvider } from '#adapters/payment/stripe/provider.ts';
import { Instant } from '#domain/instant.ts';
import { sdkAt } from '../stripe/sdk/sdk.ts';
import type { StripeServer } from '../stripe/stripe-server.ts';
import type { Happening } from './lifecycle/provider-world.ts';
import type { ProviderHarness } from './payment-provider.ts';

const secretKey = 'sk_test_contract';
const webhookSecret = 'whsec_contract';

/** Stripe's SDK and ours against a provider like Stripe, with nothing in its books. */
export const openStripe = async (stripe: StripeServer): Promise<ProviderHarness> => {
  await stripe.reset();
  // A request takes a while, so that another meets it under way.
  await stripe.setNetworkFaults({ delayTurns: 20 });
  const { confirmationTokens } = sdkAt(stripe.url, secretKey).testHelpers;
  // Only debits are decided later, and a token brings their mandate. It pays once.
  const token = async (payment_method: string) => (await confirmationTokens.create({ payment_method })).id;
  const [agreed, rejected] = [await token('pm_success_de'), await token('pm_failed_de')];
  const on = (method: string, happen: Happening['happen']): Happening => ({ method, happen });
  const send = (action: string, form: Readonly<Record<string, string>>) => (intent: string) =>
    fetch(`${stripe.url}/v1/payment_intents/${intent}/${action}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secretKey}` },
      body: new URLSearchParams(form),
    });
  return {
    provider: stripeProvider({
      secretKey,
      apiBase: stripe.url,
      methods: ['card', 'sepa_debit'],
      timeoutMs: 10_000,
      webhookSecrets: [webhookSecret],
    }),
    good: 'pm_card_visa',
    bad: 'pm_card_chargeDeclined',
    lose: async () => {
      await stripe.script('drop');
      return 'pm_card_visa';
    },
    movements: async () => {
      const { charges, refunds } = await stripe.ledger();
      return charges.length + refunds.length;
    },
    world: {
      consent: on('pm_card_threeDSecure2Required', (intent) => stripe.consent(intent)),
      refuse: on('pm_card_threeDSecure2Required', (intent) => stripe.refuse(intent)),
      tryAgain: on('pm_card_threeDSecure2Required', send('confirm', { payment_method: 'pm_card_visa' })),
      agreeLater: on(agreed, () => stripe.banksDecide()),
      rejectLater: on(rejected, () => stripe.banksDecide()),
      captureExternally: on('pm_card_visa', (intent) => stripe.captureInDashboard(intent, 100)),
      cancelExternally: on('pm_card_visa', (intent) => stripe.cancelInDashboard(intent)),
      refundExternally: on('pm_card_visa', (intent) => stripe.refundInDashboard(intent, 100)),
      refundLater: on('pm_card_pendingRefund', () => stripe.banksDecide()),
      failRefundLate: on('pm_card_refundFail', () => stripe.banksDecide()),
      dispute: on('pm_card_visa', (intent) => stripe.dispute(intent)),
      // https://docs.stripe.com/webhooks#verify-manually
      signEvent: async (id, at) => {
        const seconds = Math.floor(Instant.milliseconds(at) / 1000);
        const event = {
          id: 'evt_1',
          object: 'event',
          type: 'payment_intent.succeeded',
          data: { object: { id } },
        };
        const body = JSON.stringify(event);
        const signature = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex');
        return { body: Buffer.from(body), headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } };
      },
      forgetIds: () => stripe.advance(25 * 3_600_000),
      loseResponses: (areLost) => stripe.setNetworkFaults(areLost ? { drop: 1 } : {}),
      setAvailable: (isAvailable) => stripe.setNetworkFaults(isAvailable ? {} : { dropBefore: 1 }),
    },
    close: async () => undefined,
  };
};
