import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { asksPayer, decidesLater, reconciledShop, succeeds } from '../reconciliation/reconciled-shop.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('Reconciliation without events', () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());

  it('ask 5, 15, 30 and 60 s after the creation while the payer has to act, and every 60 s then', async () => {
    const { payment, reference } = await shop.paid(asksPayer);
    shop.becomes(payment.id, asksPayer(reference));
    expect(await shop.askedWithin(process, 200 * second)).to.deep.equal([5, 15, 30, 60, 120, 180]);
  });

  it('ask every 10 minutes for an hour while the provider decides, then hourly for 21 days, and warn', async () => {
    const { payment, reference, providerObject } = await shop.paid(decidesLater);
    shop.becomes(payment.id, decidesLater(reference));
    const inMinutes = (await shop.askedWithin(process, 21 * day + hour, minute)).map((at) => at / 60);
    expect(inMinutes.slice(0, 8)).to.deep.equal([10, 20, 30, 40, 50, 60, 120, 180]);
    expect(inMinutes).to.have.lengthOf(6 + 21 * 24 - 1);
    const provider = shop.provider.port.name;
    expect(process.warnings).to.deep.equal([
      { reason: 'undecided', provider, providerObject, paymentId: payment.id },
    ]);
    expect(await shop.find(providerObject)).to.equal(undefined);
  });

  it('record what the provider decides, and end', async () => {
    const { payment, order, reference, providerObject } = await shop.paid(decidesLater);
    expect(payment.status).to.equal('processing');
    shop.becomes(payment.id, succeeds(reference));
    shop.advance(10 * minute);
    await process.reconcileCharges();
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'succeeded' });
    expect(await shop.unitOfWork.read(({ orders }) => orders.find(order.id))).to.include({
      status: 'paid',
    });
    expect(await shop.find(providerObject)).to.equal(undefined);
    expect(process.results).to.deep.equal(['recorded']);
  });

  it('follow a payment that passes from the payer to the provider by the schedule of its new status', async () => {
    const { payment, reference, providerObject } = await shop.paid(asksPayer);
    shop.becomes(payment.id, decidesLater(reference));
    shop.advance(5 * second);
    await process.reconcileCharges();
    expect(await shop.paymentOf(payment.id)).to.include({ status: 'processing' });
    expect(await shop.find(providerObject)).to.include({ dueAt: Instant.plus(shop.now(), 10 * minute) });
  });

  for (const [outcome, after] of [
    ['ended', succeeds],
    ['followed it anew', decidesLater],
  ] as const) {
    it(`let readers who still see the payer act ask once a second when a task has ${outcome}`, async () => {
      const { payment, reference } = await shop.paid(asksPayer);
      const { claim } = shop.useCases.payments.refresh;
      shop.advance(5 * second);
      expect(await shop.unitOfWork.run(claim(payment))).to.equal(true);
      shop.becomes(payment.id, after(reference));
      await process.reconcileCharges();
      expect(process.results).to.deep.equal(['recorded']);
      expect(await shop.unitOfWork.run(claim(payment))).to.equal(false);
    });
  }

  it('let a reader ask while the payer has to act, also after one was removed and after an event has begun another', async () => {
    const { payment, providerObject } = await shop.paid(asksPayer);
    const { claim } = shop.useCases.payments.refresh;
    for (const begin of [() => undefined, () => shop.enqueue(providerObject)]) {
      shop.advance(second);
      await shop.unitOfWork.run(async ({ reconciliationTasks }) => {
        const task = await reconciliationTasks.find(payment.provider, providerObject);
        if (task !== undefined) await reconciliationTasks.remove(task);
      });
      await begin();
      expect(await shop.unitOfWork.run(claim(payment))).to.equal(true);
      expect(await shop.find(providerObject)).to.include({ lastAttemptAt: shop.now() });
    }
  });

  it('ask every 10 minutes while the provider decides on a refund that it has accepted', async () => {
    const { payment, reference } = await shop.paid(succeeds);
    shop.becomes(payment.id, succeeds(reference));
    await shop.run(shop.useCases.refunds.create, shop.staff, { paymentId: payment.id, reason: null });
    const inMinutes = (await shop.askedWithin(process, 2 * hour, minute)).map((at) => at / 60);
    expect(inMinutes).to.deep.equal([10, 20, 30, 40, 50, 60]);
  });

  it('ask again for a charge that the provider does not know, although it has named it', async () => {
    const { providerObject } = await shop.paid(decidesLater);
    shop.advance(10 * minute);
    expect((await process.reconcileCharges()).errors).to.have.lengthOf(1);
    expect(process.results).to.deep.equal(['failed']);
    expect(await shop.find(providerObject)).to.include({ attempts: 1 });
  });

  it('are not made for a payment that succeeds at once', async () => {
    const { providerObject } = await shop.paid(succeeds);
    expect(await shop.find(providerObject)).to.equal(undefined);
  });
});
