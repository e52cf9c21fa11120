import type { Failure } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { Verdict } from '../ports/charge.ts';
import type { ProviderRefund } from '../ports/followed-charges.ts';

/** Each once, and those that have failed first, because their money may be refunded again by one of the others. */
export const inOrder = (told: readonly ProviderRefund[]): readonly ProviderRefund[] => {
  const each = [...new Map(told.map((refund) => [refund.reference, refund])).values()];
  const hasFailed = ({ status }: ProviderRefund) => status === 'failed';
  return [...each.filter(hasFailed), ...each.filter((refund) => !hasFailed(refund))];
};

/**
 * The refund here that the provider tells of: the one with its reference, or the one that it names when that has none yet. Anything can
 * be written at a provider, so one that has ended with another reference, or in another way, is not meant.
 */
export const refundHere = (known: readonly Refund[], told: ProviderRefund): Refund | undefined =>
  known.find((refund) => isNamed(refund, told)) ??
  known.find(
    ({ id, status, providerReference }) =>
      id === told.refundId &&
      providerReference === null &&
      (status === 'pending' || told.status === 'failed'),
  );

export const isNamed = ({ providerReference }: Refund, { reference }: ProviderRefund): boolean =>
  providerReference === reference;

/** @returns undefined while the provider has not decided */
export const verdictOf = (told: ProviderRefund): Verdict | undefined => {
  if (told.status === 'pending') return undefined;
  return told.status === 'succeeded' ? { reference: told.reference } : { declined: failureOf(told) };
};

export const failureOf = ({ failure }: ProviderRefund): Failure =>
  failure ?? { code: 'failed', message: 'The refund failed at the provider.' };
