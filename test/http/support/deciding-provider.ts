import type { ChargeState } from '#application/ports/charge.ts';
import type { ChargeLifecycle, ProviderEvent, ProviderObject } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { Instant } from '#domain/instant.ts';

export const apiVersion = 0;

const unused = async (): Promise<never> => {
  throw new Error('No test of a decision that comes later needs it.');
};

/** The charges of all services of this process that have this module as their provider, by their reference. */
const charges = new Map<string, { readonly paymentId: string; state: ChargeState }>();
let listed: readonly ProviderEvent[] = [];

const lifecycle: ChargeLifecycle = {
  findCharge: unused,
  retrieveCharge: async (reference) => {
    const charge = charges.get(reference);
    if (charge === undefined) return undefined;
    return { reference, paymentId: charge.paymentId, charge: charge.state, refunds: [], disputes: [] };
  },
  findChargeOf: async () => undefined,
  listProviderEvents: async () => ({ events: listed, newest: Instant.at(Date.now()) }),
};

const port: PaymentProvider = {
  name: 'deciding',
  idempotencyWindowMs: 3_600_000,
  charge: async ({ paymentId }) => {
    const reference = `ch_${paymentId}`;
    const state: ChargeState = { reference, waitsFor: 'provider' };
    charges.set(reference, { paymentId, state });
    return state;
  },
  closeCharge: async ({ paymentId }) => charges.get(`ch_${paymentId}`)?.state ?? unused(),
  ...{ refund: unused, closeRefund: unused },
  lifecycle,
};

export const openPaymentProvider = (): PaymentProvider => port;

/** The variables of a service whose provider decides later, and whose events are read as often as possible. */
export const deciding = { PAYMENT_PROVIDER: import.meta.filename, PROVIDER_EVENTS_POLL_MS: '100' };

/** Decides on a charge, and tells nothing of it. */
export const decide = (paymentId: string, state: (reference: string) => ChargeState): void => {
  const charge = charges.get(`ch_${paymentId}`);
  if (charge !== undefined) charge.state = state(`ch_${paymentId}`);
};

/** Lists events that name these places from now on, each once. */
export const list = (...providerObjects: readonly ProviderObject[]): void => {
  const count = listed.length;
  listed = [
    ...listed,
    ...providerObjects.map((providerObject, index) => ({
      ...providerObject,
      eventId: `evt_${count + index}`,
    })),
  ];
};
