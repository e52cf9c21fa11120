import type Stripe from 'stripe';
import type { ChargeSnapshot, ProviderObject } from '#application/ports/charge-lifecycle.ts';
import type { Call } from '../api/client.ts';
import { known } from '../api/errors.ts';
import { findInList, maxPageSize } from '../api/pagination.ts';
import { isBlocker, metadataOf, openState } from '../charges/charge-state.ts';
import { closeDeclined, getIntent } from '../charges/intents.ts';
import { isStripeId } from '../events/event-types.ts';
import { providerRefund } from '../refunds/refund-state.ts';
import { disputeDetails } from './dispute-details.ts';
import { releasesAmong } from './releases.ts';

/** For a list of which every object counts. */
const everything = () => true;

/**
 * Reads an intent with all its refunds and disputes.
 * @param reference of the intent, or of one of its charges
 * @param onUnknownStatus called with a status of a dispute that is not known
 * @returns undefined for what Stripe does not know, and for what only blocks an idempotency key
 */
export const retrieveSnapshot = async (
  call: Call,
  reference: string,
  onUnknownStatus: (status: string) => void,
): Promise<ChargeSnapshot | undefined> => {
  const id = await findChargeOf(call, { kind: 'charge', reference });
  const found = id === undefined ? undefined : await known(getIntent(call, id));
  if (found === undefined || isBlocker(found)) return undefined;
  const intent = await closeDeclined(call, found);
  const snapshot = {
    reference: intent.id,
    paymentId: metadataOf(intent).payment_id || null,
    charge: openState(intent),
  };
  if (!isCharged(intent)) return { ...snapshot, refunds: [], disputes: [] };

  const { stripe, budget } = call;
  const pageOf = { payment_intent: intent.id, limit: maxPageSize };
  const refunds = await findInList(
    (cursor) => stripe.refunds.list({ ...pageOf, ...cursor }, budget()),
    everything,
  );
  const releases = await releasesAmong(call, refunds, chargeOf(intent));
  const disputes = await findInList(
    (cursor) => stripe.disputes.list({ ...pageOf, ...cursor }, budget()),
    everything,
  );
  return {
    ...snapshot,
    refunds: refunds.filter((refund) => !releases.includes(refund)).map(providerRefund),
    disputes: disputes.map((dispute) => disputeDetails(dispute, onUnknownStatus)),
  };
};

/** Finds the intent of an object. @returns undefined for what Stripe does not know, and for what has no intent */
export const findChargeOf = async (
  { stripe, budget }: Call,
  { kind, reference }: ProviderObject,
): Promise<string | undefined> => {
  if (!isStripeId(reference)) return undefined;
  if (kind === 'charge' && reference.startsWith('pi_')) return reference;
  const endpoints = { charge: stripe.charges, refund: stripe.refunds, dispute: stripe.disputes };
  const found = await known<Belonging>(endpoints[kind].retrieve(reference, {}, budget()));
  const intent = found?.payment_intent;
  return (typeof intent === 'object' ? intent?.id : intent) ?? undefined;
};

interface Belonging {
  readonly payment_intent: string | { readonly id: string } | null;
}

/** Whether money can have moved back already. */
const isCharged = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' || status === 'processing' || status === 'requires_capture';

const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  charge !== null && typeof charge === 'object' ? charge : null;
