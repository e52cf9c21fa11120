import type { Capture } from '#domain/capture.ts';
import { DomainError } from '#domain/errors.ts';
import { Money } from '#domain/money.ts';
import type { Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { ChargeSnapshot, ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

import { isMistaken, referencesOf } from './provider-refund.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly provider: PaymentProvider;
}

/**
 * Asks the provider whether a reference that an operator gives belongs to what they settle, because a typing error would be recorded for
 * good. Amounts are not compared: the operator has seen them. A provider that cannot be asked later, or that is no longer configured, is
 * believed. Each function throws DomainError 'not-found' for a reference that the provider does not know there, 'invalid-state' for one
 * that belongs to something else, and whatever the provider throws.
 */
export const referenceChecks = ({ unitOfWork, provider }: Dependencies) => {
  const lifecycleOf = ({ provider: name }: { readonly provider: string }) =>
    name === provider.name ? provider.lifecycle : undefined;

  return {
    /** The reference of the charge of a payment. */
    requireCharge: async (payment: Payment, reference: string): Promise<void> => {
      const lifecycle = lifecycleOf(payment);
      if (lifecycle === undefined) return;
      if (payment.status === 'authorized' && payment.providerReference !== reference)
        throw isAnother(reference, `The charge of the payment is ${payment.providerReference}`);
      const reported = await lifecycle.retrieveCharge(reference);
      if (reported === undefined) throw isUnknown(`no charge ${reference}`);
      if (reported.paymentId !== null && reported.paymentId !== payment.id)
        throw isAnother(reference, `It is the charge of the payment ${reported.paymentId}`);
      const { charge } = reported;
      if ('declined' in charge || 'canceled' in charge)
        throw isAnother(reference, 'It was declined or canceled at the provider, and has taken no money');
    },

    /** The reference of a refund: one of the refunds of its charge. */
    requireRefund: async (refund: Refund, reference: string): Promise<void> => {
      const reported = await reportedRefunds(lifecycleOf(refund), refund);
      if (reported === undefined) return;
      const found = reported.find((each) => each.reference === reference);
      if (found === undefined) throw isUnknown(`no refund ${reference} ${amongThose(refund, reported)}`);
      if (found.status === 'failed') throw isAnother(reference, 'It has failed at the provider');
      const { paymentId } = refund;
      const here = await unitOfWork.read(({ refunds }) => refunds.findBy('paymentId', [paymentId]));
      const owner = here.find(
        ({ id, providerReference }) =>
          id !== refund.id &&
          (providerReference === reference || (providerReference === null && id === found.refundId)),
      );
      if (owner !== undefined) throw isAnother(reference, `It is the refund ${owner.id}`);
    },

    /** The reference of a capture: that of its charge, or one of its own. */
    requireCapture: async (capture: Capture, reference: string): Promise<void> => {
      const { chargeReference } = capture;
      const lifecycle = lifecycleOf(capture);
      if (lifecycle === undefined) return;
      const reported = await lifecycle.retrieveCharge(chargeReference);
      if (reported !== undefined && ('declined' in reported.charge || 'canceled' in reported.charge))
        throw isAnother(reference, 'The charge was declined or canceled at the provider');
      const itsOwn =
        reported !== undefined && 'reference' in reported.charge ? reported.charge.reference : undefined;
      if (reference === chargeReference || reference === itsOwn || lifecycle.findChargeOf === undefined)
        return;
      const charge = await lifecycle.findChargeOf({ kind: 'charge', reference });
      if (charge === undefined) throw isUnknown(`no charge or capture ${reference}`);
      if (charge !== chargeReference) throw isAnother(reference, `It belongs to the charge ${charge}`);
    },

    /** Retrieves the charge of a refund. @returns undefined when it cannot be asked, or knows no such charge */
    retrieveSnapshot: async (refund: Refund): Promise<ChargeSnapshot | undefined> =>
      refund.chargeReference === null
        ? undefined
        : lifecycleOf(refund)?.retrieveCharge(refund.chargeReference),

    /** Whether the provider lists refunds of the charge, and a refund that has succeeded here is none of them. */
    isUnknownRefund: (refund: Refund, snapshot: ChargeSnapshot | undefined): boolean =>
      refund.status === 'succeeded' &&
      snapshot !== undefined &&
      listsRefunds(lifecycleOf(refund), snapshot.refunds) &&
      isMistaken(refund, referencesOf(snapshot.refunds)),
  };
};

type Lifecycle = PaymentProvider['lifecycle'];

/** A provider that does not report refunds lists none, and finds the charge of none. */
const listsRefunds = (lifecycle: Lifecycle, refunds: readonly ProviderRefund[]): boolean =>
  lifecycle !== undefined && (refunds.length > 0 || lifecycle.findChargeOf !== undefined);

/** @returns undefined when the provider cannot be asked about refunds */
const reportedRefunds = async (
  lifecycle: Lifecycle,
  { chargeReference }: Refund,
): Promise<readonly ProviderRefund[] | undefined> => {
  if (lifecycle === undefined || chargeReference === null) return undefined;
  const { refunds = [] } = (await lifecycle.retrieveCharge(chargeReference)) ?? {};
  return listsRefunds(lifecycle, refunds) ? refunds : undefined;
};

const amongThose = ({ chargeReference }: Refund, reported: readonly ProviderRefund[]): string => {
  const list = reported.map(
    ({ reference, amount, status }) => `${reference} (${Money.format(amount)}, ${status})`,
  );
  return `of the charge ${chargeReference}, ${list.length === 0 ? 'which has none' : `only ${list.join(', ')}`}`;
};

const isUnknown = (what: string): DomainError =>
  new DomainError('not-found', `The provider knows ${what}. Nothing was changed.`);

const isAnother = (reference: string, why: string): DomainError =>
  new DomainError('invalid-state', `${reference} does not settle it. ${why}. Nothing was changed.`);
