import { DomainError, invalidField } from '#domain/errors.ts';
import type { Money } from '#domain/money.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import { awaitsCapture } from '../payments/schedule-reconciliation.ts';
import type { ChargeSnapshot, ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { UnitOfWork, Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { RecordMovements } from './apply-snapshot.ts';
import { settledReferences } from './check-references.ts';
import type { MovementDependencies } from './dependencies.ts';
import { isDisputable, recordDisputes } from './disputes.ts';
import { addOutsideRefund } from './external-refunds.ts';
import type { Mismatches } from './mismatches.ts';
import { isNamed, referencesOf, refundHere } from './provider-refund.ts';
import { takeBackRefund } from './revert-refund.ts';

/** What a person has found out about a refund or dispute at the provider that does not fit. */
export interface SettledMovement {
  readonly paymentId: PaymentId;
  /** The provider's reference of the refund or dispute. */
  readonly reference: string;
  /** What counts here, in the minor unit of the payment's currency; 0 when nothing does. */
  readonly amount: number;
}

interface Dependencies extends MovementDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly provider: PaymentProvider;
  readonly record: RecordMovements;
}

/** Why a refund has failed that an operator has taken back. */
const takenBack = {
  code: 'settled_by_operator',
  message: 'An operator has taken it back: the provider does not know it.',
};

const settledByOperator = { code: 'settled_by_operator', message: 'An operator has settled it as nothing.' };

/** What an operator does about movements that do not fit. */
export const movementSettlement = ({ unitOfWork, provider, record, ...dependencies }: Dependencies) => {
  const addOutside = addOutsideRefund(dependencies);
  const addDisputes = recordDisputes(dependencies);
  const takeBack = takeBackRefund(dependencies);
  const references = settledReferences({ unitOfWork, provider });

  const retrieveCharge = async (id: PaymentId): Promise<ChargeSnapshot | undefined> => {
    const { providerReference, ...payment } = requireFound(
      await unitOfWork.read(({ payments }) => payments.find(id)),
    );
    if (payment.provider !== provider.name || providerReference === null) return undefined;
    const movements = await provider.lifecycle?.retrieveCharge(providerReference);
    return movements?.paymentId === id ? movements : undefined;
  };

  /** Adds a refund with the amount that counts here. */
  const addRefund =
    (payment: Payment, { refunds: all }: ChargeSnapshot, told: ProviderRefund, amount: Money): Work<void> =>
    async (repositories) => {
      const { reference } = told;
      const known = refundHere(
        await repositories.refunds.findBy('paymentId', [payment.id]),
        told,
        referencesOf(all),
      );
      if (known?.providerReference === reference) throw isRecorded(reference);
      if (known !== undefined)
        throw new DomainError('invalid-state', `The refund ${reference} is ${known.id} here. Settle that.`);
      if (amount.amount === 0)
        return addOutside(payment, { ...told, amount, status: 'failed', failure: settledByOperator })(
          repositories,
        );
      if (told.status === 'pending')
        throw new DomainError('invalid-state', `The refund ${reference} is pending at the provider.`);
      const left = Payment.captured(payment).amount - payment.refunded.amount;
      if (told.status === 'succeeded' && amount.amount > left)
        throw new DomainError('amount-exceeded', `Only ${left} ${amount.currency} are left to refund.`);
      return addOutside(payment, { ...told, amount })(repositories);
    };

  return {
    references,

    /**
     * Takes back a refund that an operator has settled as succeeded, under a reference that the provider does not know. What the provider
     * tells of the charge is recorded first: a refund there that names this one gives it its reference.
     * @throws DomainError 'invalid-state' when the refund has not succeeded, the provider cannot be asked, or knows the refund
     */
    takeBack: async (settled: Refund): Promise<void> => {
      const { id, paymentId } = settled;
      const movements = await references.movementsOf(settled);
      await unitOfWork.run(async (repositories) => {
        await repositories.payments.lock(paymentId);
        if (movements?.paymentId === paymentId) await record(movements)(repositories);
        const refund = requireFound(await repositories.refunds.find(id));
        if (!references.isUnknownRefund(refund, movements)) throw isSettled(refund, movements);
        await takeBack(id, takenBack)(repositories);
      });
    },

    /**
     * Asks the provider about a payment, and records what fits.
     * @returns what does not
     * @throws DomainError 'invalid-state' when another amount was captured than a capture under way asks for
     */
    lookUp: async (id: PaymentId): Promise<Mismatches> => {
      const movements = await retrieveCharge(id);
      if (movements === undefined) return [];
      const recorded = await unitOfWork.run(async (repositories) => {
        const payment = requireFound(await repositories.payments.find(id));
        if (await awaitsCapture(repositories, payment, movements.charge)) throw isUnderWay(id);
        return record(movements)(repositories);
      });
      return recorded?.mismatches ?? [];
    },

    /**
     * Records a refund or dispute that does not fit, with the amount that counts here. It is not compared again. A recorded dispute
     * gets another amount, as long as that of the provider cannot be counted.
     * @throws DomainError 'not-found' when the provider tells of none with the reference; 'invalid-state' when it is recorded already;
     *   'amount-exceeded', 'validation'
     */
    settle: async ({ paymentId, reference, amount: units }: SettledMovement): Promise<void> => {
      if (!Number.isSafeInteger(units) || units < 0) throw invalidField('amount', 'must be a whole number');
      const movements = await retrieveCharge(paymentId);
      const refund = movements?.refunds.find((told) => told.reference === reference);
      const dispute = movements?.disputes.find((told) => told.providerReference === reference);
      await unitOfWork.run(async (repositories) => {
        const payment = requireFound(await repositories.payments.lock(paymentId));
        const amount = { amount: units, currency: payment.amount.currency };
        if (movements !== undefined && refund !== undefined)
          return addRefund(payment, movements, refund, amount)(repositories);
        if (dispute === undefined)
          throw new DomainError('not-found', `The provider tells of no refund or dispute ${reference}.`);
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

const isSettled = (refund: Refund, movements: ChargeSnapshot | undefined): DomainError => {
  const isKnown = movements?.refunds.some((told) => isNamed(refund, told)) === true;
  const why = isKnown ? `, and the provider knows it as ${refund.providerReference}` : '';
  return new DomainError(
    'invalid-state',
    `The refund ${refund.id} is already settled: it is ${refund.status}${why}.`,
  );
};

const isRecorded = (reference: string): DomainError =>
  new DomainError('invalid-state', `${reference} is recorded already.`);
