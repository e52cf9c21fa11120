import { expect } from 'chai';
import { createApplication } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import type { Refund, RefundId } from '#domain/refund.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { kindOf } from '../error-kind.ts';
import { euros, externalRefund, paidShop } from './paid-shop.ts';
import { isHeld, succeeds } from './reconciled-shop.ts';

describe('The reference that an operator gives', () => {
  const paid = ofEachTest(paidShop);
  let application: ReturnType<typeof createApplication>;
  beforeEach(() => {
    application = createApplication(paid.shop.ports, {
      ...{ lease: 30_000, reconcileAfter: 60_000, orderLifetime: 0 },
    });
  });

  type Reported = ReturnType<typeof externalRefund>;
  const reports = (...refunds: readonly Reported[]) =>
    paid.shop.becomes(paid.payment.id, succeeds(paid.reference), refunds);
  const references = () => application.manualResolution.references;

  /** A refund of which the provider did not answer. */
  const pending = async (amount = 100): Promise<Refund> => {
    paid.shop.provider.refunds(async () => {
      throw new ApplicationError('provider-timeout', 'No answer came.');
    });
    await paid.refund(amount).catch(() => undefined);
    const found = (await paid.refunds()).find(({ status }) => status === 'pending');
    if (found === undefined) throw new Error('There is no pending refund.');
    return found;
  };
  const settle = (id: RefundId, reference: string) =>
    paid.shop.run(paid.shop.useCases.refunds.settle, paid.shop.admin, { id, outcome: { reference } });
  const named = (
    id: RefundId,
    reference: string,
    amount = 100,
    status: Reported['status'] = 'succeeded',
  ) => ({
    ...externalRefund(reference, amount, status),
    refundId: id,
  });

  describe('of a refund', () => {
    it('is one of the refunds of its charge, whatever its amount', async () => {
      const refund = await pending();
      reports(externalRefund('re_1', 90));
      expect(await kindOf(references().requireRefund(refund, 're_2'))).to.equal('not-found');
      await references().requireRefund(refund, 're_1');
    });

    it('is not one that has failed, or is another refund here', async () => {
      const [refund] = [await pending()];
      reports(externalRefund('re_1', 100), externalRefund('re_2', 100, 'failed'));
      expect(await kindOf(references().requireRefund(refund, 're_2'))).to.equal('invalid-state');
      await settle(refund.id, 're_1');
      const another = await pending(50);
      expect(await kindOf(references().requireRefund(another, 're_1'))).to.equal('invalid-state');
    });

    it('is believed of a provider that cannot be asked, and not while one that can be asked fails', async () => {
      const refund = await pending();
      paid.shop.provider.returns(paid.reference, async () => {
        throw new ApplicationError('provider-failed', 'It fails.');
      });
      expect(await kindOf(references().requireRefund(refund, 're_2'))).to.equal('provider-failed');
      paid.shop.provider.renamed('another');
      await references().requireRefund(refund, 're_2');
    });
  });

  describe('of a payment', () => {
    it('is a charge that names this payment, or none', async () => {
      const { payment, reference, shop } = paid;
      const reported = { reference: 'ch_x', charge: succeeds('ch_x'), refunds: [], disputes: [] };
      shop.provider.returns('ch_x', async () => ({ ...reported, paymentId: null }));
      shop.provider.returns('ch_y', async () => ({ ...reported, reference: 'ch_y', paymentId: 'another' }));
      reports();
      await references().requireCharge(payment, reference);
      await references().requireCharge(payment, 'ch_x');
      expect(await kindOf(references().requireCharge(payment, 'ch_y'))).to.equal('invalid-state');
      expect(await kindOf(references().requireCharge(payment, 'ch_z'))).to.equal('not-found');
    });

    it('is not a charge that was declined', async () => {
      const { payment, reference, shop } = paid;
      shop.becomes(payment.id, { declined: { code: 'declined', message: 'No.' } });
      expect(await kindOf(references().requireCharge(payment, reference))).to.equal('invalid-state');
    });
  });

  it('of a capture is that of its charge, or belongs to it', async () => {
    const { shop } = paid;
    const { payment, reference } = await shop.paid(isHeld, 'manual');
    shop.provider.captures(async () => {
      throw new ApplicationError('provider-timeout', 'No answer came.');
    });
    const input = { paymentId: payment.id, amount: euros(100) };
    await shop.run(shop.useCases.captures.create, shop.staff, input).catch(() => undefined);
    const [capture] = await shop.unitOfWork.read((all) => all.captures.findBy('paymentId', [payment.id]));
    if (capture === undefined) throw new Error('There is no capture.');
    shop.becomes(payment.id, succeeds(reference));
    shop.provider.belongs('cap_1', reference);
    shop.provider.belongs('cap_2', paid.reference);
    await references().requireCapture(capture, reference);
    await references().requireCapture(capture, 'cap_1');
    expect(await kindOf(references().requireCapture(capture, 'cap_2'))).to.equal('invalid-state');
    expect(await kindOf(references().requireCapture(capture, 'cap_3'))).to.equal('not-found');
  });

  describe('was mistyped', () => {
    const mistyped = async () => {
      const refund = await pending();
      await settle(refund.id, 're_typo');
      return refund.id;
    };
    const one = async () => {
      const all = await paid.refunds();
      expect(all).to.have.length(1);
      return all[0];
    };

    it('and the refund that names this one at the provider takes its place, so that no money counts twice', async () => {
      const id = await mistyped();
      expect(await paid.reports([named(id, 're_1', 90)])).to.deep.equal([]);
      expect(await one()).to.include({ status: 'succeeded', providerReference: 're_1', origin: 'portico' });
      expect((await paid.current()).refunded).to.deep.equal(euros(100));
      await paid.reports([named(id, 're_1', 90)]);
      expect((await one())?.version).to.equal(3);
    });

    it('and the refund fails late', async () => {
      const id = await mistyped();
      await paid.reports([named(id, 're_1', 100, 'failed')]);
      expect(await one()).to.include({ status: 'failed', providerReference: 're_1' });
      expect((await paid.current()).refunded).to.deep.equal(euros(0));
    });

    it('while one beside a reference that the provider knows is a second refund, because metadata can be copied', async () => {
      const id = await mistyped();
      await paid.reports([named(id, 're_1'), named(id, 're_2', 50)]);
      const all = await paid.refunds();
      expect(all.map(({ providerReference, origin }) => [providerReference, origin])).to.deep.equal([
        ['re_1', 'portico'],
        ['re_2', 'provider'],
      ]);
      expect((await paid.current()).refunded).to.deep.equal(euros(150));
    });

    it('and can be reverted, as long as the provider does not know it', async () => {
      const id = await mistyped();
      const refund = await one();
      if (refund === undefined) throw new Error('There is no refund.');
      reports();
      await application.manualResolution.revertRefund(refund);
      expect(await one()).to.deep.include({ id, status: 'failed' });
      expect((await one())?.failure?.code).to.equal('settled_by_operator');
      expect(await paid.current()).to.deep.include({ status: 'succeeded', refunded: euros(0) });
    });

    it('and is not reverted when the provider has refunded it under another reference', async () => {
      const id = await mistyped();
      const refund = await one();
      if (refund === undefined) throw new Error('There is no refund.');
      reports(named(id, 're_1'));
      expect(await kindOf(application.manualResolution.revertRefund(refund))).to.equal('invalid-state');
      expect(await paid.current()).to.deep.include({ refunded: euros(100) });
    });
  });

  it('stands when the provider cannot be asked, so nothing is reverted', async () => {
    const refund = await pending();
    const settled = await settle(refund.id, 're_typo');
    paid.shop.provider.renamed('another');
    expect(await kindOf(application.manualResolution.revertRefund(settled))).to.equal('invalid-state');
    expect((await paid.refunds())[0]?.status).to.equal('succeeded');
  });
});
