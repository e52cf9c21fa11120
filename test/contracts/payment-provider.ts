import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import type { Charge, PaymentProvider, RefundRequest } from '#application/ports/payment-provider.ts';
import { offline } from '#domain/payment.ts';
import { newId } from '../support/machine.ts';
import { atOnce, mocha, rejectionOf } from './harness.ts';
import type { ProviderWorld } from './lifecycle/provider-world.ts';

/** A provider of one's own, with nothing in its books. */
export interface ProviderHarness {
  readonly provider: PaymentProvider;
  /** A payment method that is charged, and one that is declined. */
  readonly good: string;
  readonly bad: string;
  /** Arranges that the outcome of the next charge is not known. @returns the payment method for it */
  lose(): Promise<string>;
  /** How often money has moved. */
  movements(): Promise<number>;
  /** For a provider that can be asked later: what happens there without Portico. */
  readonly world?: ProviderWorld;
  close(): Promise<void>;
}

const amount = { amount: 450, currency: 'EUR' };

export const aCharge = (paymentMethod: string, details: Partial<Charge> = {}): Charge => ({
  paymentId: newId(),
  amount,
  age: 0,
  paymentMethod,
  ...details,
});

export const aRefundRequest = (
  chargeReference: string,
  details: Partial<RefundRequest> = {},
): RefundRequest => ({
  refundId: newId(),
  chargeReference,
  amount,
  ...details,
});

/** @throws unless it succeeded */
export const referenceOf = async (outcome: ReturnType<PaymentProvider['charge']>): Promise<string> => {
  const said = await outcome;
  if ('declined' in said) throw new Error(`It was declined: ${said.declined.message}`);
  return said.reference;
};

/** What `PaymentProvider` promises. */
export const describePaymentProvider = (
  name: string,
  open: () => Promise<ProviderHarness>,
  runner = mocha(),
) =>
  runner.describe(`${name} keeps the contract of payment providers`, () => {
    const { it, beforeEach, afterEach } = runner;
    let harness: ProviderHarness;
    let provider: PaymentProvider;
    beforeEach(async () => {
      harness = await open();
      provider = harness.provider;
    });
    afterEach(() => harness.close());

    it('makes a charge once, however often it is retried', async () => {
      const charge = aCharge(harness.good);
      const outcome = await provider.charge(charge);
      expect(outcome).to.have.property('reference').that.is.a('string').and.not.equal('');
      for (const _ of ['again', 'and again']) expect(await provider.charge(charge)).to.deep.equal(outcome);
      expect(await harness.movements()).to.equal(1);
    });

    it('makes a charge once of many concurrent requests', async () => {
      const charge = aCharge(harness.good);
      const results = await Promise.allSettled(atOnce(20, () => provider.charge(charge)));
      const outcome = await provider.charge(charge);
      for (const result of results) {
        if (result.status === 'fulfilled') expect(result.value).to.deep.equal(outcome);
        else expectOpen(result.reason);
      }
      expect(outcome).to.have.property('reference');
      expect(await harness.movements()).to.equal(1);
    });

    it('makes one charge for each payment', async () => {
      const references = await Promise.all(
        atOnce(5, () => referenceOf(provider.charge(aCharge(harness.good)))),
      );
      expect(new Set(references).size).to.equal(5);
      expect(await harness.movements()).to.equal(5);
    });

    it('keeps a decline, and moves nothing', async () => {
      const charge = aCharge(harness.bad);
      const outcome = await provider.charge(charge);
      expect(outcome).to.have.nested.property('declined.code').that.is.a('string').and.not.equal('');
      expect(outcome).to.have.nested.property('declined.message').that.is.a('string').and.not.equal('');
      expect(await provider.charge(charge)).to.deep.equal(outcome);
      expect(await provider.closeCharge(charge)).to.deep.equal(outcome);
      expect(await harness.movements()).to.equal(0);
    });

    it('returns the outcome of a charge that was made when it is closed', async () => {
      const charge = aCharge(harness.good);
      const outcome = await provider.charge(charge);
      for (const _ of ['once', 'twice']) expect(await provider.closeCharge(charge)).to.deep.equal(outcome);
      expect(await provider.charge(charge)).to.deep.equal(outcome);
      expect(await harness.movements()).to.equal(1);
    });

    it('declines a charge for good that was closed before it arrived', async () => {
      const charge = aCharge(harness.good);
      const outcome = await provider.closeCharge(charge);
      expect(outcome).to.have.nested.property('declined.code', 'not_charged');
      expect(await provider.charge(charge)).to.deep.equal(outcome);
      expect(await provider.closeCharge(charge)).to.deep.equal(outcome);
      expect(await harness.movements()).to.equal(0);
    });

    it('returns one outcome to concurrent charges and closes', async () => {
      const charge = aCharge(harness.good);
      const results = await Promise.allSettled(
        atOnce(20, (index) => (index % 2 === 0 ? provider.closeCharge(charge) : provider.charge(charge))),
      );
      const outcome = await provider.closeCharge(charge);
      for (const result of results) {
        if (result.status === 'fulfilled') expect(result.value).to.deep.equal(outcome);
        else expectOpen(result.reason);
      }
      expect(await harness.movements()).to.equal('reference' in outcome ? 1 : 0);
    });

    it('throws when the outcome is unknown, and has one later', async () => {
      const charge = aCharge(await harness.lose());
      expectOpen(await rejectionOf(provider.charge(charge)));
      const outcome = await provider.closeCharge(charge);
      expect(await provider.charge(charge)).to.deep.equal(outcome);
      expect(await harness.movements()).to.equal('reference' in outcome ? 1 : 0);
    });

    it('refunds once for each refund id, however often it is retried', async () => {
      const reference = await referenceOf(provider.charge(aCharge(harness.good)));
      const parts = [200, 250].map((part) =>
        aRefundRequest(reference, { amount: { amount: part, currency: 'EUR' } }),
      );
      for (const part of parts) {
        const outcome = await provider.refund(part);
        expect(outcome).to.have.property('reference').that.is.a('string').and.not.equal('');
        expect(await provider.refund(part)).to.deep.equal(outcome);
        expect(await provider.closeRefund(part)).to.deep.equal(outcome);
      }
      expect(await harness.movements()).to.equal(3);
    });

    it('refunds once of many concurrent requests', async () => {
      const request = aRefundRequest(await referenceOf(provider.charge(aCharge(harness.good))));
      const results = await Promise.allSettled(atOnce(10, () => provider.refund(request)));
      const outcome = await provider.refund(request);
      for (const result of results) {
        if (result.status === 'fulfilled') expect(result.value).to.deep.equal(outcome);
        else expectOpen(result.reason);
      }
      expect(outcome).to.have.property('reference');
      expect(await harness.movements()).to.equal(2);
    });

    it('declines a refund that never arrived when it is closed', async () => {
      const reference = await referenceOf(provider.charge(aCharge(harness.good)));
      const outcome = await provider.closeRefund(aRefundRequest(reference));
      expect(outcome).to.have.nested.property('declined.code', 'not_refunded');
      expect(await harness.movements()).to.equal(1);
    });

    it('has a name of its own', async () => {
      expect(provider.name).to.be.a('string').and.not.be.oneOf(['', offline]);
    });

    it('has an idempotency window', async () => {
      expect(provider.idempotencyWindowMs).to.be.a('number').that.is.greaterThan(0);
    });
  });

export const expectOpen = (rejection: unknown): void => {
  expect(rejection)
    .to.be.instanceOf(ApplicationError)
    .with.property('kind')
    .that.is.oneOf(['provider-failed', 'provider-timeout']);
};
