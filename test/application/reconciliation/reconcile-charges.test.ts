import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import { Instant } from '#domain/instant.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { chargeObject, decidesLater, reconciledShop, succeeds } from './reconciled-shop.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe('Reconciliation tasks', () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());

  describe('that an event asks for', () => {
    it('are made at once, and end when their result is recorded', async () => {
      const { payment, reference, providerObject } = await shop.paid(decidesLater);
      shop.becomes(payment.id, succeeds(reference));
      await shop.enqueue(providerObject);
      await process.reconcileCharges();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
      expect(await shop.find(providerObject)).to.equal(undefined);
    });

    it('find the charge of a refund or a dispute', async () => {
      const { payment, reference } = await shop.paid(decidesLater);
      shop.becomes(payment.id, succeeds(reference));
      shop.provider.belongs('re_1', reference);
      await shop.enqueue({ kind: 'refund', reference: 're_1' });
      await process.reconcileCharges();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
      expect(await shop.find({ kind: 'refund', reference: 're_1' })).to.equal(undefined);
    });

    it('change nothing when the event was forged: only the word of the provider counts', async () => {
      const { payment, reference, providerObject } = await shop.paid(decidesLater);
      shop.becomes(payment.id, decidesLater(reference));
      const before = await shop.paymentOf(payment.id);
      for (const _ of ['once', 'twice']) await shop.enqueue(providerObject);
      await process.reconcileCharges();
      expect(await shop.paymentOf(payment.id)).to.deep.equal(before);
    });

    it('are dropped and counted when the object belongs to no payment here', async () => {
      const foreign = chargeObject('ch_foreign');
      const { reference, payment } = await shop.paid(succeeds);
      shop.provider.returns('ch_foreign', async () => ({
        ...{ reference: 'ch_foreign', paymentId: null, charge: succeeds('ch_foreign') },
        ...{ refunds: [], disputes: [] },
      }));
      const providerObjects = [
        foreign,
        chargeObject('ch_gone'),
        { kind: 'refund', reference: 're_gone' } as const,
      ];
      for (const providerObject of providerObjects) await shop.enqueue(providerObject);
      await process.reconcileCharges();
      for (const providerObject of providerObjects)
        expect(await shop.find(providerObject)).to.equal(undefined);
      expect(process.results).to.deep.equal(['unknown', 'unknown', 'unknown']);
      expect(await shop.paymentOf(payment.id)).to.include({
        status: 'succeeded',
        providerReference: reference,
      });
    });

    it('record nothing of a charge that names a payment here which was charged otherwise', async () => {
      const { payment } = await shop.paid(decidesLater);
      shop.provider.returns('ch_foreign', async () => ({
        ...{ reference: 'ch_foreign', paymentId: payment.id, charge: succeeds('ch_foreign') },
        ...{ refunds: [], disputes: [] },
      }));
      await shop.enqueue(chargeObject('ch_foreign'));
      await process.reconcileCharges();
      expect(process.results).to.deep.equal(['unknown']);
      expect(await shop.paymentOf(payment.id)).to.deep.equal(payment);
    });

    it('are retried when another event names the object meanwhile', async () => {
      const { payment, reference, providerObject } = await shop.paid(decidesLater);
      await shop.enqueue(providerObject);
      shop.provider.returns(reference, async () => {
        await shop.enqueue(providerObject);
        shop.becomes(payment.id, succeeds(reference));
        return {
          reference,
          paymentId: payment.id,
          charge: decidesLater(reference),
          refunds: [],
          disputes: [],
        };
      });
      await process.reconcileCharges();
      expect(await shop.find(providerObject)).to.include({ events: 2, dueAt: shop.now() });
      shop.advance(second);
      await process.reconcileCharges();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
      expect(await shop.find(providerObject)).to.equal(undefined);
    });

    it('end with the result in one unit of work, or not at all', async () => {
      const { payment, reference, providerObject } = await shop.paid(decidesLater);
      shop.becomes(payment.id, succeeds(reference));
      await shop.enqueue(providerObject);
      let units = 0;
      const { unitOfWork } = shop.ports;
      const failing = shop.aProcess({
        read: (...reading) => unitOfWork.read(...reading),
        run: (work) =>
          unitOfWork.run(async (repositories) => {
            units += 1;
            const result = await work(repositories);
            // The first one claims the task, and the second one records its result.
            if (units === 2) throw new Error('The commit fails.');
            return result;
          }),
      });
      expect((await failing.reconcileCharges()).errors).to.have.lengthOf(1);
      expect(await shop.paymentOf(payment.id)).to.deep.equal(payment);
      expect(await shop.find(providerObject)).to.include({ attempts: 1, events: 1 });
      shop.advance(5 * second);
      await process.reconcileCharges();
      expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
    });

    it('leave a payment to the process that holds its lease, and are made again', async () => {
      let reference = '';
      shop.provider.charges((of) => {
        reference = of;
        throw new ApplicationError('provider-timeout', 'No answer came.');
      });
      const order = await shop.placeOrder(shop.customer, await shop.newProduct());
      await shop.pay(shop.customer, order).catch(() => undefined);
      const [payment] = (
        await shop.unitOfWork.read(({ payments }) => payments.page({ orderId: order.id }, { limit: 1 }))
      ).rows;
      if (payment === undefined) expect.fail('It was begun.');
      shop.becomes(payment.id, succeeds(reference));
      await shop.enqueue(chargeObject(reference));
      await process.reconcileCharges();
      expect(process.results).to.deep.equal(['leased']);
      expect(await shop.paymentOf(payment.id)).to.deep.equal(payment);
      expect(await shop.find(chargeObject(reference))).to.include({
        dueAt: Instant.plus(shop.now(), 5 * second),
      });
    });
  });

  it('report hourly a charge of other money than was asked for, and record nothing', async () => {
    const { payment, reference, providerObject } = await shop.paid(decidesLater);
    shop.becomes(payment.id, { reference, amount: { amount: 1, currency: 'EUR' } });
    await shop.enqueue(providerObject);
    expect((await process.reconcileCharges()).errors).to.deep.equal([]);
    expect(process.mismatches).to.deep.equal([payment.id]);
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'processing' });
    expect(await shop.find(providerObject)).to.include({ dueAt: Instant.plus(shop.now(), hour) });
  });

  it('are made once by two processes', async () => {
    const { payment, reference, providerObject } = await shop.paid(decidesLater);
    shop.becomes(payment.id, decidesLater(reference));
    await shop.enqueue(providerObject);
    const other = shop.aProcess();
    await Promise.all([process.reconcileCharges(), other.reconcileCharges()]);
    expect(shop.provider.asked).to.deep.equal([reference]);
  });

  it('of one charge are recorded one after the other', async () => {
    const { payment, reference } = await shop.paid(decidesLater);
    let running = 0;
    let most = 0;
    shop.provider.returns(reference, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return { reference, paymentId: payment.id, charge: decidesLater(reference), refunds: [], disputes: [] };
    });
    for (const name of ['re_1', 're_2']) {
      shop.provider.belongs(name, reference);
      await shop.enqueue({ kind: 'refund', reference: name });
    }
    await process.reconcileCharges();
    expect({ most, asked: shop.provider.asked.length }).to.deep.equal({ most: 1, asked: 2 });
  });

  it('are at most five a second in all, the longest due first', async () => {
    for (let index = 0; index < 12; index += 1) await shop.enqueue(chargeObject(`ch_${index}`));
    await process.reconcileCharges();
    await process.reconcileCharges();
    shop.advance(999);
    await process.reconcileCharges();
    expect(shop.provider.asked).to.have.lengthOf(5);
    expect(process.seen.overdueMs).to.equal(999);
    shop.advance(1);
    await process.reconcileCharges();
    expect(shop.provider.asked).to.have.lengthOf(10);
  });

  it('at another provider than the configured one stay, with an hourly warning', async () => {
    const { payment, reference, providerObject } = await shop.paid(decidesLater);
    shop.becomes(payment.id, succeeds(reference));
    const before = await shop.find(providerObject);
    shop.provider.renamed('another');
    expect(await shop.askedWithin(process, 90 * minute, minute)).to.deep.equal([]);
    const warning = { reason: 'other-provider', provider: 'followed' };
    expect(process.warnings).to.deep.equal([warning, warning]);
    shop.provider.renamed('followed');
    expect(await shop.find(providerObject)).to.deep.equal(before);
    await process.reconcileCharges();
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
  });
});
