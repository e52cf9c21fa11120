import type { Failure } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { ProviderOutcome } from '../ports/charge.ts';
import type { ProviderRefund } from '../ports/charge-lifecycle.ts';

/** Each once, and those that have failed first, because their money may be refunded again by one of the others. */
export const inOrder = (reported: readonly ProviderRefund[]): readonly ProviderRefund[] => {
  const each = [...new Map(reported.map((refund) => [refund.reference, refund])).values()];
  const hasFailed = ({ status }: ProviderRefund) => status === 'failed';
  return [...each.filter(hasFailed), ...each.filter((refund) => !hasFailed(refund))];
};

/**
 * The refund here that the provider reports: the one with its reference, or the one that it names when that has no reference yet, or has
 * one that the provider does not know. Anything can be written at a provider, and metadata can be copied, so one that has ended with a
 * reference that the provider knows, or in another way, is not meant.
 * @param references of all refunds of the charge at the provider
 */
export const matchingRefund = (
  known: readonly Refund[],
  reported: ProviderRefund,
  references: ReadonlySet<string>,
): Refund | undefined =>
  known.find((refund) => isNamed(refund, reported)) ??
  known.find(
    (refund) =>
      refund.id === reported.refundId &&
      (refund.providerReference === null
        ? refund.status === 'pending' || reported.status === 'failed'
        : isMistaken(refund, references)),
  );

/** Whether the refund has a reference that the provider does not know, such as one that an operator has mistyped. */
export const isMistaken = ({ status, providerReference }: Refund, references: ReadonlySet<string>): boolean =>
  status !== 'failed' && providerReference !== null && !references.has(providerReference);

export const referencesOf = (reported: readonly ProviderRefund[]): ReadonlySet<string> =>
  new Set(reported.map(({ reference }) => reference));

export const isNamed = ({ providerReference }: Refund, { reference }: ProviderRefund): boolean =>
  providerReference === reference;

/** @returns undefined while the provider has not decided */
export const outcomeOf = (reported: ProviderRefund): ProviderOutcome | undefined => {
  if (reported.status === 'pending') return undefined;
  return reported.status === 'succeeded'
    ? { reference: reported.reference }
    : { declined: failureOf(reported) };
};

export const failureOf = ({ failure }: ProviderRefund): Failure =>
  failure ?? { code: 'failed', message: 'The refund failed at the provider.' };
