import type Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import { type BegunCharge, maxRequestLifetimeMs, type Verdict } from '#application/ports/payment-provider.ts';
import { stripeAmount, stripeCurrency } from './amount.ts';
import { findInList, pageSize } from './pages.ts';
import { type Answer, answerTo } from './response.ts';
import { settle } from './settle.ts';
import type { Time } from './time.ts';
import { chargeVerdict, mostTelling, notCharged } from './verdicts.ts';

const hour = 60 * 60 * 1000;

/**
 * For how long Stripe surely knows a key again. It keeps them for 24 hours at least
 * (https://docs.stripe.com/api/idempotent_requests), one of which is left for requests under way.
 */
export const keyMemory = 23 * hour;

/** How exact an age is, in milliseconds: Stripe counts in seconds, and clocks are put right now and then. */
const margin = 60_000;

/** When there is nothing of a charge that is not in the index, in milliseconds: then all of it is over, for an hour. */
const indexed = keyMemory + maxRequestLifetimeMs + hour;

/**
 * Uses the charge's idempotency key up for a request that takes no money, so that none with it can take any later. Where
 * the key had been used before, the charge has reached Stripe, and there is something to find or nothing for ever.
 * @throws the SDK's error, or ApplicationError 'provider-timeout', while it could still be made
 */
export const closeCharge = async (stripe: Stripe, charge: BegunCharge, time: Time): Promise<Verdict> => {
  const known = await search(stripe, charge, time);
  const verdict = mostTelling(
    (known ?? []).filter(hasEnded).flatMap((intent) => chargeVerdict(intent) ?? []),
  );
  if (verdict !== undefined) return verdict;
  if (known !== undefined && charge.age > indexed) {
    return mostTelling(await settleAll(stripe, known, time)) ?? notCharged;
  }

  const attempt = await useKeyUp(stripe, charge, time);
  const isUsedUp = 'made' in attempt && isMark(attempt.made);
  if (isUsedUp && charge.age < keyMemory) return notCharged;

  const intents = [...(await list(stripe, charge, time))];
  if ('made' in attempt && !isUsedUp) intents.push(attempt.made);
  return mostTelling(await settleAll(stripe, intents, time)) ?? conclude(attempt, charge);
};

const settleAll = async (
  stripe: Stripe,
  intents: readonly Stripe.PaymentIntent[],
  time: Time,
): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  for (const intent of intents) verdicts.push(await settle(stripe, intent, time));
  return verdicts;
};

/** What follows when nothing was found. A key that could not be used up is free, and the charge may be on its way. */
const conclude = (attempt: Attempt, { age }: BegunCharge): Verdict => {
  if ('open' in attempt) throw attempt.open;
  if ('declined' in attempt && attempt.stands) return { declined: attempt.declined };
  if (!('declined' in attempt) || age > keyMemory + maxRequestLifetimeMs) return notCharged;
  throw new ApplicationError(
    'provider-timeout',
    'The charge may still be on its way to the payment provider.',
  );
};

/**
 * One quick question, of whose answers only those that have ended count as long as the index may lag behind; and not every
 * account has a search. https://docs.stripe.com/search#data-freshness
 * @returns undefined where there is none
 */
const search = async (
  stripe: Stripe,
  charge: BegunCharge,
  time: Time,
): Promise<readonly Stripe.PaymentIntent[] | undefined> => {
  try {
    const query = `metadata['payment_id']:'${charge.paymentId}'`;
    const { data } = await stripe.paymentIntents.search({ query }, time(1 / 2));
    return data.filter(isOf(charge));
  } catch {
    return undefined;
  }
};

/** What came of the request that uses the key up, or why nothing is known of it. */
type Attempt = Answer<Stripe.PaymentIntent> | { readonly open: unknown };

/** An intent that nobody can confirm, for want of a card. Marked as such, it is not taken for the charge. */
const useKeyUp = (stripe: Stripe, { paymentId, amount }: BegunCharge, time: Time): Promise<Attempt> =>
  answerTo(
    stripe.paymentIntents.create(
      {
        amount: stripeAmount(amount),
        currency: stripeCurrency(amount),
        allowed_payment_method_types: ['card'],
        metadata: { payment_id: paymentId, closed: 'true' },
      },
      { idempotencyKey: paymentId, ...time() },
    ),
  ).catch((open: unknown) => ({ open }));

/** Goes back to when the charge was begun, by Stripe's clock: as long before the newest intent as it is before now. */
const list = (stripe: Stripe, charge: BegunCharge, time: Time): Promise<readonly Stripe.PaymentIntent[]> =>
  findInList(
    (after) => stripe.paymentIntents.list({ limit: pageSize, ...after }, time()),
    isOf(charge),
    ({ created }, newest) => (newest.created - created) * 1000 > charge.age + margin,
  );

const hasEnded = ({ status, last_payment_error }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' || Boolean(last_payment_error);

const isOf =
  ({ paymentId }: BegunCharge) =>
  (intent: Stripe.PaymentIntent): boolean =>
    noted(intent).payment_id === paymentId && !isMark(intent);

const isMark = (intent: Stripe.PaymentIntent): boolean =>
  noted(intent).closed === 'true' && intent.status !== 'succeeded';

const noted = ({
  metadata,
}: Stripe.PaymentIntent): { readonly payment_id?: string; readonly closed?: string } => metadata ?? {};
