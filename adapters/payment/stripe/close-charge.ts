import type Stripe from 'stripe';
import type { BegunCharge, Verdict } from '#application/ports/payment-provider.ts';
import { Instant } from '#domain/instant.ts';
import { stripeAmount, stripeCurrency } from './amount.ts';
import { type Answer, answerTo } from './answer.ts';
import { findInList, pageSize } from './pages.ts';
import { settle } from './settle.ts';
import type { Time } from './time.ts';
import { chargeVerdict, mostTelling, notCharged } from './verdicts.ts';

const hour = 60 * 60 * 1000;

/**
 * For how long Stripe surely knows a key again. It keeps them for 24 hours at least
 * (https://docs.stripe.com/api/idempotent_requests), one of which is left for clocks that differ and requests under way.
 */
export const keyMemory = 23 * hour;

/** By how much the clock that said when the charge was begun may differ from Stripe's. */
const clockMargin = hour;

/**
 * Uses the charge's idempotency key up for a request that takes no money, so that none with it can take any later. Where
 * the key had been used before, the charge has reached Stripe, and there is something to find or nothing for ever.
 */
export const closeCharge = async (stripe: Stripe, charge: BegunCharge, time: Time): Promise<Verdict> => {
  const indexed = await search(stripe, charge, time);
  if (indexed !== undefined) return indexed;

  const answer = await useKeyUp(stripe, charge, time);
  if (isFirstUse(answer, charge)) return notCharged;

  const verdicts: Verdict[] = [];
  for (const intent of await list(stripe, charge, time)) verdicts.push(await settle(stripe, intent, time));
  if ('made' in answer && !isMark(answer.made)) verdicts.push(await settle(stripe, answer.made, time));
  return mostTelling(verdicts) ?? ('declined' in answer ? answer : notCharged);
};

/**
 * One quick question, whose answer counts only where it is the last word, for the index lags behind; and not every
 * account has a search. https://docs.stripe.com/search#data-freshness
 */
const search = async (stripe: Stripe, charge: BegunCharge, time: Time): Promise<Verdict | undefined> => {
  try {
    const query = `metadata['payment_id']:'${charge.paymentId}'`;
    const { data } = await stripe.paymentIntents.search({ query }, time(1 / 2));
    const ended = data.filter((intent) => isOf(charge)(intent) && hasEnded(intent));
    return mostTelling(ended.flatMap((intent) => chargeVerdict(intent) ?? []));
  } catch {
    return undefined;
  }
};

/** An intent that nobody can confirm, for want of a card. Marked as such, it is not taken for the charge. */
const useKeyUp = (
  stripe: Stripe,
  { paymentId, amount }: BegunCharge,
  time: Time,
): Promise<Answer<Stripe.PaymentIntent>> =>
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
  );

const list = (stripe: Stripe, charge: BegunCharge, time: Time): Promise<readonly Stripe.PaymentIntent[]> => {
  const since = Math.floor((Instant.milliseconds(charge.begunAt) - clockMargin) / 1000);
  return findInList(
    (after) => stripe.paymentIntents.list({ created: { gte: since }, limit: pageSize, ...after }, time()),
    isOf(charge),
  );
};

/** Whether the key was new to Stripe, and would not have been had it ever been used. */
const isFirstUse = (answer: Answer<Stripe.PaymentIntent>, { begunAt }: BegunCharge): boolean =>
  'made' in answer &&
  isMark(answer.made) &&
  answer.made.created * 1000 - Instant.milliseconds(begunAt) < keyMemory;

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
