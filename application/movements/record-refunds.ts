import { Money } from '#domain/money.ts';
import { Payment } from '#domain/payment.ts';
import { Refund } from '#domain/refund.ts';
import { followRefund, isAccepted } from '../look-ups/waiting-payments.ts';
import type { Verdict } from '../ports/charge.ts';
import type { ProviderRefund } from '../ports/followed-charges.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import { refundSettlement } from '../refunds/refund-settlement.ts';
import { requirePart, requireSameId, requireSameMoney } from './comparison.ts';
import type { MovementDependencies } from './dependencies.ts';

/**
 * Records the refunds of a payment that has succeeded, which is locked: those that the provider has accepted and has ended now, those
 * that fail although they had succeeded, and those that were made at the provider.
 */
export const recordRefunds = (dependencies: MovementDependencies) => {
  const { clock, newId, warn } = dependencies;
  const { settle } = refundSettlement(dependencies);

  const end = async (repositories: Repositories, refund: Refund, told: ProviderRefund): Promise<void> => {
    const verdict = verdictOf(told);
    if (verdict !== undefined) await settle(refund.id, verdict)(repositories);
  };

  /** Takes back a refund that has failed after it had succeeded. Its order stays as it is, because the goods are back. */
  const revert = async (
    { refunds, payments }: Repositories,
    refund: Refund,
    told: ProviderRefund,
  ): Promise<void> => {
    const at = clock.now();
    const payment = requireFound(await payments.find(refund.paymentId));
    await refunds.save(Refund.revert(requireFound(await refunds.lock(refund.id)), failureOf(told), at));
    await payments.save(Payment.revertRefund(payment, refund.amount, at));
    warn({
      reason: 'refund-failed-late',
      refundId: refund.id,
      paymentId: payment.id,
      orderId: payment.orderId,
    });
  };

  /** Adds a refund that was made at the provider. From then on it ends as one that the provider has accepted. */
  const add = async (repositories: Repositories, payment: Payment, told: ProviderRefund): Promise<void> => {
    const { refunds, payments } = repositories;
    const captured = Payment.captured(payment);
    // What has failed moves nothing, whatever was refunded besides.
    const left = told.status === 'failed' ? captured : Money.minus(captured, payment.refunded);
    requirePart(payment, left, told.amount, `Its refund ${told.reference}`);
    const at = clock.now();
    const refund = Refund.fromProvider(newId(), payment, told, at);
    await refunds.add(refund);
    await payments.save(Payment.followRefund(payment, told.amount, at));
    if (told.status === 'pending') await followRefund(repositories.lookUps, refund, at);
    await end(repositories, refund, told);
  };

  return (payment: Payment, told: readonly ProviderRefund[]): Work<void> =>
    async (repositories) => {
      if (told.length === 0) return;
      const known = await repositories.refunds.findBy('paymentId', [payment.id]);
      for (const each of inOrder(told)) {
        const refund = refundHere(known, each);
        if (refund === undefined) {
          await add(repositories, requireFound(await repositories.payments.find(payment.id)), each);
          continue;
        }
        const isLate = refund.status === 'succeeded' && each.status === 'failed' && isNamed(refund, each);
        if (!isLate && !isAccepted(refund)) continue;
        requireSameMoney('refund', refund, each.amount);
        if (refund.origin === 'portico') requireSameId('refund', refund, each.refundId);
        if (isLate) await revert(repositories, refund, each);
        else await end(repositories, refund, each);
      }
    };
};

/** Each once, and those that have failed first, because their money may be refunded again by one of the others. */
const inOrder = (told: readonly ProviderRefund[]): readonly ProviderRefund[] => {
  const each = [...new Map(told.map((refund) => [refund.reference, refund])).values()];
  const hasFailed = ({ status }: ProviderRefund) => status === 'failed';
  return [...each.filter(hasFailed), ...each.filter((refund) => !hasFailed(refund))];
};

/**
 * The refund here that the provider tells of: the one with its reference, or the one that it names when that has none yet. Anything can
 * be written at a provider, so one that has ended with another reference, or in another way, is not meant.
 */
const refundHere = (known: readonly Refund[], told: ProviderRefund): Refund | undefined =>
  known.find((refund) => isNamed(refund, told)) ??
  known.find(
    ({ id, status, providerReference }) =>
      id === told.refundId &&
      providerReference === null &&
      (status === 'pending' || told.status === 'failed'),
  );

const isNamed = ({ providerReference }: Refund, { reference }: ProviderRefund): boolean =>
  providerReference === reference;

/** @returns undefined while the provider has not decided */
const verdictOf = (told: ProviderRefund): Verdict | undefined => {
  if (told.status === 'pending') return undefined;
  return told.status === 'succeeded' ? { reference: told.reference } : { declined: failureOf(told) };
};

const failureOf = ({ failure }: ProviderRefund) =>
  failure ?? { code: 'failed', message: 'The refund failed at the provider.' };
