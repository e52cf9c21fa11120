import { expect } from 'chai';
import type { ChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { requireCapabilities } from '#bootstrap/composition/ports/required-capabilities.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { SettingError } from '#bootstrap/config/env-parser.ts';

const call = async (): Promise<never> => expect.fail('It is not called.');
const offering = (lifecycle?: Partial<ChargeLifecycle>): PaymentProvider => ({
  ...{ name: 'mine', idempotencyWindowMs: 1, charge: call, closeCharge: call, refund: call },
  closeRefund: call,
  ...(lifecycle && {
    lifecycle: { findCharge: call, retrieveCharge: call, findChargeOf: call, ...lifecycle },
  }),
});
const usual = readConfig({});
const polling = (eventsPoll: number) => ({ ...usual, times: { ...usual.times, eventsPoll } });

describe('A setting that needs what the payment provider does not offer', () => {
  const rejected = [
    {
      settings: { ...usual, paymentCapture: 'manual' as const },
      says: 'PAYMENT_CAPTURE must be automatic: the payment provider mine does not offer to capture later.',
      offered: { capture: call },
    },
    {
      settings: { ...usual, providerEvents: { host: '127.0.0.1', port: 3100 } },
      says: 'PROVIDER_EVENTS_PORT must be 0: the payment provider mine reads no events.',
      offered: { parseWebhook: call },
    },
    {
      settings: polling(1_000),
      says: 'PROVIDER_EVENTS_POLL_MS must be 0 or left out: the payment provider mine has no list of events.',
      offered: { listProviderEvents: call },
    },
  ];
  it('is rejected, with what to set', () => {
    for (const { settings, says, offered } of rejected) {
      for (const provider of [offering(), offering({})])
        expect(() => requireCapabilities(provider, settings))
          .to.throw(SettingError)
          .with.property('message', says);
      expect(() => requireCapabilities(offering(offered), settings)).not.to.throw();
    }
  });

  it('is none of the defaults, and no list that is never read', () => {
    for (const settings of [usual, polling(0), polling(60_000)])
      expect(() => requireCapabilities(offering(), settings)).not.to.throw();
  });
});
