import { DomainError, invalidField } from '#domain/errors.ts';
import type { Money } from '#domain/money.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import { awaitsCapture } from '../payments/schedule-reconciliation.ts';
import type { ChargeSnapshot, ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { UnitOfWork, Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { ApplySnapshot } from './apply-snapshot.ts';
import { referenceChecks } from './check-references.ts';
import type { SnapshotDependencies } from './dependencies.ts';
import { isDisputable, recordDisputes } from './disputes.ts';
import { addExternalRefund } from './external-refunds.ts';
import type { Mismatches } from './mismatches.ts';
import { isNamed, matchingRefund, referencesOf } from './provider-refund.ts';
import { revertRefund } from './revert-refund.ts';

/** How an operator resolves the mismatch of a refund or dispute. */
export interface ResolvedMismatch {
  readonly paymentId: PaymentId;
  /** The provider's reference of the refund or dispute. */
  readonly reference: string;
  /** What counts here, in the minor unit of the payment's currency; 0 when nothing does. */
  readonly amount: number;
}

interface Dependencies extends SnapshotDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly provider: PaymentProvider;
  readonly applySnapshot: ApplySnapshot;
}

/** Why a refund has failed that an operator has reverted. */
const reverted = {
  code: 'settled_by_operator',
  message: 'An operator has taken it back: the provider does not know it.',
};

const settledByOperator = { code: 'settled_by_operator', message: 'An operator has settled it as nothing.' };

/** What an operator does about mismatches. */
export const manualResolution = ({ unitOfWork, provider, applySnapshot, ...dependencies }: Dependencies) => {
  const addExternal = addExternalRefund(dependencies);
  const addDisputes = recordDisputes(dependencies);
  const revert = revertRefund(dependencies);
  const references = referenceChecks({ unitOfWork, provider });

  const retrieveCharge = async (id: PaymentId): Promise<ChargeSnapshot | undefined> => {
    const { providerReference, ...payment } = requireFound(
      await unitOfWork.read(({ payments }) => payments.find(id)),
    );
    if (payment.provider !== provider.name || providerReference === null) return undefined;
    const snapshot = await provider.lifecycle?.retrieveCharge(providerReference);
    return snapshot?.paymentId === id ? snapshot : undefined;
  };

  /** Adds a refund with the amount that counts here. */
  const addRefund =
    (
      payment: Payment,
      { refunds: all }: ChargeSnapshot,
      reported: ProviderRefund,
      amount: Money,
    ): Work<void> =>
    async (repositories) => {
      const { reference } = reported;
      const known = matchingRefund(
        await repositories.refunds.findBy('paymentId', [payment.id]),
        reported,
        referencesOf(all),
      );
      if (known?.providerReference === reference) throw isRecorded(reference);
      if (known !== undefined)
        throw new DomainError('invalid-state', `The refund ${reference} is ${known.id} here. Settle that.`);
      if (amount.amount === 0)
        return addExternal(payment, { ...reported, amount, status: 'failed', failure: settledByOperator })(
          repositories,
        );
      if (reported.status === 'pending')
        throw new DomainError('invalid-state', `The refund ${reference} is pending at the provider.`);
      const left = Payment.captured(payment).amount - payment.refunded.amount;
      if (reported.status === 'succeeded' && amount.amount > left)
        throw new DomainError('amount-exceeded', `Only ${left} ${amount.currency} are left to refund.`);
      return addExternal(payment, { ...reported, amount })(repositories);
    };

  return {
    references,

    /**
     * Reverts a refund that an operator has settled as succeeded, under a reference that the provider does not know. The snapshot
     * of the charge is recorded first: a refund there that names this one gives it its reference.
     * @throws DomainError 'invalid-state' when the refund has not succeeded, the provider cannot be asked, or knows the refund
     */
    revertRefund: async (settled: Refund): Promise<void> => {
      const { id, paymentId } = settled;
      const snapshot = await references.retrieveSnapshot(settled);
      await unitOfWork.run(async (repositories) => {
        await repositories.payments.lock(paymentId);
        if (snapshot?.paymentId === paymentId) await applySnapshot(snapshot)(repositories);
        const refund = requireFound(await repositories.refunds.find(id));
        if (!references.isUnknownRefund(refund, snapshot)) throw isSettled(refund, snapshot);
        await revert(id, reverted)(repositories);
      });
    },

    /**
     * Retrieves the charge of a payment, and records its snapshot.
     * @returns the mismatches
     * @throws DomainError 'invalid-state' when another amount was captured than a capture under way asks for
     */
    reconcile: async (id: PaymentId): Promise<Mismatches> => {
      const snapshot = await retrieveCharge(id);
      if (snapshot === undefined) return [];
      const recorded = await unitOfWork.run(async (repositories) => {
        const payment = requireFound(await repositories.payments.find(id));
        if (await awaitsCapture(repositories, payment, snapshot.charge)) throw isUnderWay(id);
        return applySnapshot(snapshot)(repositories);
      });
      return recorded?.mismatches ?? [];
    },

    /**
     * Records a refund or dispute in spite of its mismatch, with the amount that counts here. It is not compared again. A recorded dispute
     * gets another amount, as long as that of the provider cannot be counted.
     * @throws DomainError 'not-found' when the provider reports none with the reference; 'invalid-state' when it is recorded already;
     *   'amount-exceeded', 'validation'
     */
    resolve: async ({ paymentId, reference, amount: units }: ResolvedMismatch): Promise<void> => {
      if (!Number.isSafeInteger(units) || units < 0) throw invalidField('amount', 'must be a whole number');
      const snapshot = await retrieveCharge(paymentId);
      const refund = snapshot?.refunds.find((reported) => reported.reference === reference);
      const dispute = snapshot?.disputes.find((reported) => reported.providerReference === reference);
      await unitOfWork.run(async (repositories) => {
        const payment = requireFound(await repositories.payments.lock(paymentId));
        const amount = { amount: units, currency: payment.amount.currency };
        if (snapshot !== undefined && refund !== undefined)
          return addRefund(payment, snapshot, refund, amount)(repositories);
        if (dispute === undefined)
          throw new DomainError('not-found', `The provider reports no refund or dispute ${reference}.`);
        const known = await repositories.disputes.findBy('paymentId', [paymentId]);
        const isKnown = known.some(({ providerReference }) => providerReference === reference);
        if (isKnown && isDisputable(payment, dispute)) throw isRecorded(reference);
        await addDisputes(payment, [{ ...dispute, amount }])(repositories);
      });
    },
  };
};

const isUnderWay = (id: PaymentId): DomainError =>
  new DomainError(
    'invalid-state',
    `Another amount was captured of the payment ${id} than its pending capture asks for. Settle the capture.`,
  );

const isSettled = (refund: Refund, snapshot: ChargeSnapshot | undefined): DomainError => {
  const isKnown = snapshot?.refunds.some((reported) => isNamed(refund, reported)) === true;
  const why = isKnown ? `, and the provider knows it as ${refund.providerReference}` : '';
  return new DomainError(
    'invalid-state',
    `The refund ${refund.id} is already settled: it is ${refund.status}${why}.`,
  );
};

const isRecorded = (reference: string): DomainError =>
  new DomainError('invalid-state', `${reference} is recorded already.`);
