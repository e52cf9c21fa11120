import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import type { ChargeState, ProviderOutcome } from '#application/ports/charge.ts';
import type { CaptureRequest } from '#application/ports/charge-lifecycle.ts';
import type { Call } from '../api/client.ts';
import { type Attempt, attempt } from '../api/errors.ts';
import { stripeAmount } from '../api/money.ts';
import { metadataOf, openState } from './charge-state.ts';
import { cancelIntent, closeDeclined, getIntent } from './intents.ts';

/** Gives up a charge. @returns what became of it */
export const cancelCharge = async (call: Call, reference: string): Promise<ChargeState> =>
  openState(await closeDeclined(call, await cancelIntent(call, reference)));

/**
 * Captures an authorized charge. The capture's id is its idempotency key, and also in the metadata of the intent, where it is
 * found after the key has expired. https://docs.stripe.com/api/payment_intents/capture
 */
export const captureCharge = async (call: Call, request: CaptureRequest): Promise<ProviderOutcome> => {
  const { captureId, chargeReference } = request;
  let capture = await captureIntent(call, request, captureId);
  if ('keyUsed' in capture) {
    // Stripe has stored a failure for the key. A charge is captured once at most, so another key captures nothing twice.
    capture = await captureIntent(call, request, randomUUID());
  }
  // A captured charge cannot be captured again, so an error may stem from a request that this one repeats.
  const intent = 'made' in capture ? capture.made : await getIntent(call, chargeReference);
  if (intent.status === 'succeeded' && ('made' in capture || metadataOf(intent).capture_id === captureId))
    return openState(intent) as ProviderOutcome;
  return declineOf(capture, intent);
};

const captureIntent = (
  { stripe, budget }: Call,
  { captureId, chargeReference, amount }: CaptureRequest,
  idempotencyKey: string,
): Promise<Attempt<Stripe.PaymentIntent>> =>
  attempt(
    stripe.paymentIntents.capture(
      chargeReference,
      { amount_to_capture: stripeAmount(amount), metadata: { capture_id: captureId } },
      { idempotencyKey, ...budget() },
    ),
  );

/** @throws ApplicationError 'provider-timeout' when the capture may still succeed */
const declineOf = (capture: Attempt<unknown>, { status }: Stripe.PaymentIntent): ProviderOutcome => {
  if ('declined' in capture && status !== 'processing') return { declined: capture.declined };
  if (status === 'canceled')
    return { declined: { code: 'canceled', message: 'The charge was canceled before its capture.' } };
  throw new ApplicationError('provider-timeout', 'The payment provider is still processing the capture.');
};
