import Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import {
  type BegunCharge,
  type Charge,
  maxRequestLifetimeMs,
  type Verdict,
} from '#application/ports/payment-provider.ts';
import type { TimeBudget } from './client.ts';
import { type Attempt, attempt, isReplayed } from './errors.ts';
import { chargeVerdict, decisive, notCharged, stripeAmount, stripeCurrency } from './mapping.ts';
import { findInList, maxPageSize } from './pagination.ts';

const hourMs = 60 * 60 * 1000;

/**
 * The age up to which Stripe recognizes a retry. Stripe keeps a key for at least 24 hours
 * (https://docs.stripe.com/api/idempotent_requests); one hour is left for requests in flight.
 */
export const keyWindowMs = 23 * hourMs;

/** Tolerance of an age, in milliseconds: Stripe's timestamps are whole seconds, and clocks are adjusted. */
const ageToleranceMs = 60_000;

/** The age from which the search index is complete: no request has been in flight for an hour. */
const fullyIndexedAgeMs = keyWindowMs + maxRequestLifetimeMs + hourMs;

/** Makes a charge. The payer is offline, so a card that requires authentication is declined. */
export const makeCharge = async (stripe: Stripe, charge: Charge, budget: TimeBudget): Promise<Verdict> => {
  const { paymentId, amount, paymentMethod } = charge;
  const creation = await attempt(
    stripe.paymentIntents.create(
      {
        amount: stripeAmount(amount),
        currency: stripeCurrency(amount),
        payment_method: paymentMethod,
        allowed_payment_method_types: ['card'],
        confirm: true,
        error_on_requires_action: true,
        metadata: { payment_id: paymentId },
      },
      { idempotencyKey: paymentId, ...budget() },
    ),
  );
  if ('keyUsed' in creation) return closeCharge(stripe, charge, budget);
  if ('declined' in creation) return { declined: creation.declined };
  const intent = creation.made;
  // A replayed response shows the intent as it was then, so its current state is retrieved.
  const isStale = isReplayed(intent.lastResponse.headers) && intent.status !== 'succeeded';
  return settle(
    stripe,
    isStale ? await stripe.paymentIntents.retrieve(intent.id, {}, budget()) : intent,
    budget,
  );
};

/**
 * Closes a charge. It uses the charge's idempotency key for a request that takes no money, so that no later request with
 * the key can take any. When the key was used before, the charge has reached Stripe and can be found.
 * @throws the SDK's error, or ApplicationError 'provider-timeout', while the charge could still be made
 */
export const closeCharge = async (
  stripe: Stripe,
  charge: BegunCharge,
  budget: TimeBudget,
): Promise<Verdict> => {
  const indexed = await search(stripe, charge, budget);
  const verdict = decisive((indexed ?? []).filter(hasEnded).flatMap((intent) => chargeVerdict(intent) ?? []));
  if (verdict !== undefined) return verdict;
  if (indexed !== undefined && charge.age > fullyIndexedAgeMs) {
    return decisive(await settleAll(stripe, indexed, budget)) ?? notCharged;
  }

  const blocking = await blockKey(stripe, charge, budget);
  const isBlocked = 'made' in blocking && isBlocker(blocking.made);
  if (isBlocked && charge.age < keyWindowMs) return notCharged;

  const intents = [...(await list(stripe, charge, budget))];
  if ('made' in blocking && !isBlocked) intents.push(blocking.made);
  return decisive(await settleAll(stripe, intents, budget)) ?? conclude(blocking, charge);
};

/**
 * Settles an intent: returns its verdict. An unconfirmed intent is canceled first, so that it cannot be confirmed later.
 * https://docs.stripe.com/api/payment_intents/cancel
 */
const settle = async (stripe: Stripe, intent: Stripe.PaymentIntent, budget: TimeBudget): Promise<Verdict> =>
  chargeVerdict(intent) ?? chargeVerdict(await cancel(stripe, intent, budget)) ?? notCharged;

const cancel = async (
  stripe: Stripe,
  { id }: Stripe.PaymentIntent,
  budget: TimeBudget,
): Promise<Stripe.PaymentIntent> => {
  try {
    return await stripe.paymentIntents.cancel(id, {}, budget());
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // Another request has confirmed the intent in between, so it cannot be canceled.
    return stripe.paymentIntents.retrieve(id, {}, budget());
  }
};

const settleAll = async (
  stripe: Stripe,
  intents: readonly Stripe.PaymentIntent[],
  budget: TimeBudget,
): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  for (const intent of intents) verdicts.push(await settle(stripe, intent, budget));
  return verdicts;
};

/** The verdict when no intent was found. A key that could not be blocked is free, so the charge may be in flight. */
const conclude = (blocking: Blocking, { age }: BegunCharge): Verdict => {
  if ('error' in blocking) throw blocking.error;
  if ('declined' in blocking && blocking.isFinal) return { declined: blocking.declined };
  if (!('declined' in blocking) || age > keyWindowMs + maxRequestLifetimeMs) return notCharged;
  throw new ApplicationError(
    'provider-timeout',
    'A request for the charge may still be in flight. Try again later.',
  );
};

/**
 * Searches the index by payment id. The index lags behind (https://docs.stripe.com/search#data-freshness), so of its
 * results only those that have ended count.
 * @returns undefined when the search fails; some accounts have none
 */
const search = async (
  stripe: Stripe,
  charge: BegunCharge,
  budget: TimeBudget,
): Promise<readonly Stripe.PaymentIntent[] | undefined> => {
  try {
    const query = `metadata['payment_id']:'${charge.paymentId}'`;
    const { data } = await stripe.paymentIntents.search({ query }, budget(1 / 2));
    return data.filter(belongsTo(charge));
  } catch {
    return undefined;
  }
};

/** The outcome of the request that blocks the key, or the error when the outcome is unknown. */
type Blocking = Attempt<Stripe.PaymentIntent> | { readonly error: unknown };

/** Creates an intent without a card, which cannot be confirmed. Its metadata marks it as a blocker. */
const blockKey = (
  stripe: Stripe,
  { paymentId, amount }: BegunCharge,
  budget: TimeBudget,
): Promise<Blocking> =>
  attempt(
    stripe.paymentIntents.create(
      {
        amount: stripeAmount(amount),
        currency: stripeCurrency(amount),
        allowed_payment_method_types: ['card'],
        metadata: { payment_id: paymentId, closed: 'true' },
      },
      { idempotencyKey: paymentId, ...budget() },
    ),
  ).catch((error: unknown) => ({ error }));

/** Lists intents back to the charge's age, counted from the newest intent, so that only Stripe's clock matters. */
const list = (
  stripe: Stripe,
  charge: BegunCharge,
  budget: TimeBudget,
): Promise<readonly Stripe.PaymentIntent[]> =>
  findInList(
    (cursor) => stripe.paymentIntents.list({ limit: maxPageSize, ...cursor }, budget()),
    belongsTo(charge),
    ({ created }, newest) => (newest.created - created) * 1000 > charge.age + ageToleranceMs,
  );

const hasEnded = ({ status, last_payment_error }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' || Boolean(last_payment_error);

const belongsTo =
  ({ paymentId }: BegunCharge) =>
  (intent: Stripe.PaymentIntent): boolean =>
    metadataOf(intent).payment_id === paymentId && !isBlocker(intent);

const isBlocker = (intent: Stripe.PaymentIntent): boolean =>
  metadataOf(intent).closed === 'true' && intent.status !== 'succeeded';

const metadataOf = ({
  metadata,
}: Stripe.PaymentIntent): { readonly payment_id?: string; readonly closed?: string } => metadata ?? {};
