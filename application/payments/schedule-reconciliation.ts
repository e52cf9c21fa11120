import type { Instant } from '#domain/instant.ts';
import { Money } from '#domain/money.ts';
import type { Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { LookUpStore } from '../ports/reconciliation-tasks.ts';
import type { ReadRepositories } from '../ports/repositories.ts';
import { isPlace } from './provider-objects.ts';
import { nextLookUpAt, type WaitingStatus } from './reconciliation-delays.ts';

/**
 * What a payment waits for. A refund that its provider has accepted is waited for as the decision on a charge is.
 * @param except the ids of payments and refunds that wait for a person
 */
export const waitingStatus = async (
  { refunds }: Pick<ReadRepositories, 'refunds'>,
  { id, status }: Payment,
  except: readonly string[] = [],
): Promise<WaitingStatus | undefined> => {
  if (status === 'requires_action' || status === 'processing')
    return except.includes(id) ? undefined : status;
  const found = await refunds.findBy('paymentId', [id]);
  return found.some((refund) => isAccepted(refund) && !except.includes(refund.id)) ? 'processing' : undefined;
};

/** Whether the provider has accepted a refund and has not decided on it. */
export const isAccepted = ({ status, providerReference }: Refund): boolean =>
  status === 'pending' && providerReference !== null;

/**
 * Whether the provider tells of a refund here whose outcome is still on its way. That outcome can be older than what is told: of a refund
 * that has failed late a provider repeats that it succeeded.
 */
export const awaitsOutcome = async (
  { refunds }: Pick<ReadRepositories, 'refunds'>,
  payment: Payment,
  told: readonly ProviderRefund[],
): Promise<boolean> => {
  if (told.every(({ refundId }) => refundId === null)) return false;
  const found = await refunds.findBy('paymentId', [payment.id]);
  return found.some(
    ({ id, status, providerReference }) =>
      status === 'pending' && providerReference === null && told.some(({ refundId }) => refundId === id),
  );
};

/**
 * Whether the provider tells of other money than a capture from here asks for, whose outcome is still on its way. Only that outcome
 * shows whether the capture was made otherwise than asked, or another one at the provider came first.
 */
export const awaitsCapture = async (
  { captures }: Pick<ReadRepositories, 'captures'>,
  { id, status, amount }: Payment,
  charge: ChargeState,
): Promise<boolean> => {
  const isTaken = !('waitsFor' in charge || 'declined' in charge || 'canceled' in charge);
  if (status !== 'authorized' || !isTaken) return false;
  const found = await captures.findBy('paymentId', [id]);
  return found.some(
    (capture) => capture.status === 'pending' && !Money.equals(capture.amount, charge.amount ?? amount),
  );
};

interface Waiting {
  readonly provider: string;
  readonly chargeReference: string | null;
  readonly status: WaitingStatus;
  readonly since: Instant;
}

/** Looks at a charge from the first time of its schedule on, unless it is looked at already. */
const follow = async (
  lookUps: LookUpStore,
  { provider, chargeReference, status, since }: Waiting,
  now: Instant,
): Promise<void> => {
  const place = { kind: 'charge', reference: chargeReference };
  if (!isPlace(place)) return;
  await lookUps.follow(provider, place, nextLookUpAt(status, since, now) ?? now, since);
};

/**
 * Looks at the charge of a payment that waits for its payer or its provider, so that it is settled without news too. Does nothing for
 * any other payment. It belongs in the unit of work that saves the status.
 */
export const followPayment = async (lookUps: LookUpStore, payment: Payment, now: Instant): Promise<void> => {
  const { provider, providerReference: chargeReference, status, createdAt } = payment;
  if (status === 'requires_action')
    await follow(lookUps, { provider, chargeReference, status, since: createdAt }, now);
  if (status === 'processing') await follow(lookUps, { provider, chargeReference, status, since: now }, now);
};

/** Looks at the charge of a payment at once. */
export const followCharge = async (
  lookUps: LookUpStore,
  { provider, providerReference }: Payment,
  now: Instant,
): Promise<void> => {
  const place = { kind: 'charge', reference: providerReference };
  if (isPlace(place)) await lookUps.follow(provider, place, now, now);
};

/** Looks at the charge of a payment at once, also when a look-up was postponed before. */
export const hastenCharge = async (lookUps: LookUpStore, payment: Payment, now: Instant): Promise<void> => {
  const { provider, providerReference: reference } = payment;
  await followCharge(lookUps, payment, now);
  const lookUp = reference === null ? undefined : await lookUps.find(provider, { kind: 'charge', reference });
  if (lookUp !== undefined && lookUp.dueAt > now) await lookUps.postpone(lookUp, now);
};

/** Looks at the charge of a refund that its provider has accepted. It belongs in the unit of work that saves that. */
export const followRefund = (
  lookUps: LookUpStore,
  { provider, chargeReference }: Refund,
  now: Instant,
): Promise<void> => follow(lookUps, { provider, chargeReference, status: 'processing', since: now }, now);
