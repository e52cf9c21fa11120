import type Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import {
  type BegunCharge,
  type ChargeState,
  maxRequestLifetimeMs,
} from '#application/ports/payment-provider.ts';
import type { Call } from '../api/client.ts';
import { type Attempt, attempt } from '../api/errors.ts';
import { stripeAmount, stripeCurrency } from '../api/money.ts';
import { chargeState, decisive, isBlocker, notCharged } from './charge-state.ts';
import { cancelIntent, closeDeclined, getIntent, listIntents, searchIntents } from './intents.ts';

const hourMs = 60 * 60 * 1000;

/**
 * The age up to which Stripe recognizes a retry. Stripe keeps a key for at least 24 hours
 * (https://docs.stripe.com/api/idempotent_requests); one hour is left for requests in flight.
 */
export const keyWindowMs = 23 * hourMs;

/** The age from which the search index is complete: no request has been in flight for an hour. */
const fullyIndexedAgeMs = keyWindowMs + maxRequestLifetimeMs + hourMs;

/**
 * Closes a charge. It uses the charge's idempotency key for a request that moves no money, so that no later request with
 * the key can move any. When the key was used before, the charge has reached Stripe and can be found.
 * @returns what cannot be closed as it is: a charge that the bank processes, or that is authorized
 * @throws the SDK's error, or ApplicationError 'provider-timeout', while the charge could still be made
 */
export const closeCharge = async (call: Call, charge: BegunCharge): Promise<ChargeState> => {
  const indexed = await searchIntents(call, charge);
  const ended = decisive(await settleAll(call, (indexed ?? []).filter(hasEnded)));
  if (ended !== undefined) return ended;
  if (indexed !== undefined && charge.age > fullyIndexedAgeMs) {
    return decisive(await settleAll(call, indexed)) ?? notCharged;
  }

  const blocking = await blockKey(call, charge);
  const isBlocked = 'made' in blocking && isBlocker(blocking.made);
  if (isBlocked && charge.age < keyWindowMs) return notCharged;

  const intents = [...(await listIntents(call, charge))];
  if ('made' in blocking && !isBlocked) intents.push(blocking.made);
  return decisive(await settleAll(call, intents)) ?? conclude(blocking, charge);
};

/**
 * Settles an intent: cancels it if its payer could still confirm it, and returns its outcome.
 * @throws ApplicationError 'provider-failed' while it can still be confirmed
 */
export const settle = async (call: Call, intent: Stripe.PaymentIntent): Promise<ChargeState> => {
  const closed = await closeDeclined(call, intent);
  const state = chargeState(closed);
  if (state !== undefined && !isConfirmable(state)) {
    // Lists do not show until when a charge can be captured.
    const isHeld = 'waitsFor' in state && state.waitsFor === 'capture';
    return outcomeOf(isHeld ? await getIntent(call, intent.id) : closed);
  }
  return outcomeOf(await cancelIntent(call, intent.id));
};

const isConfirmable = (state: ChargeState): boolean => 'waitsFor' in state && state.waitsFor === 'payer';

const outcomeOf = (intent: Stripe.PaymentIntent): ChargeState => {
  const state = chargeState(intent);
  if (state === undefined || isConfirmable(state))
    throw new ApplicationError('provider-failed', 'The payment provider has not closed the charge.');
  return 'canceled' in state ? notCharged : state;
};

const settleAll = async (
  call: Call,
  intents: readonly Stripe.PaymentIntent[],
): Promise<readonly ChargeState[]> => {
  const states: ChargeState[] = [];
  for (const intent of intents) states.push(await settle(call, intent));
  return states;
};

/** The outcome when no intent was found. A key that could not be blocked is free, so the charge may be in flight. */
const conclude = (blocking: Blocking, { age }: BegunCharge): ChargeState => {
  if ('error' in blocking) throw blocking.error;
  if ('declined' in blocking && blocking.isFinal) return { declined: blocking.declined };
  if (!('declined' in blocking) || age > keyWindowMs + maxRequestLifetimeMs) return notCharged;
  throw new ApplicationError(
    'provider-timeout',
    'A request for the charge may still be in flight. Try again later.',
  );
};

/** The outcome of the request that blocks the key, or the error when the outcome is unknown. */
type Blocking = Attempt<Stripe.PaymentIntent> | { readonly error: unknown };

/** Creates an intent without a card, which cannot be confirmed. Its metadata marks it as a blocker. */
const blockKey = ({ stripe, methods, budget }: Call, { paymentId, amount }: BegunCharge): Promise<Blocking> =>
  attempt(
    stripe.paymentIntents.create(
      {
        amount: stripeAmount(amount),
        currency: stripeCurrency(amount),
        allowed_payment_method_types: [...methods],
        metadata: { payment_id: paymentId, closed: 'true' },
      },
      { idempotencyKey: paymentId, ...budget() },
    ),
  ).catch((error: unknown) => ({ error }));

const hasEnded = ({ status, last_payment_error }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' || Boolean(last_payment_error);
