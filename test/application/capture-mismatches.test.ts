import { expect } from 'chai';
import { ProviderMismatch } from '#application/errors.ts';
import { Payment } from '#domain/payment.ts';
import { rejectionOf } from '../contracts/harness.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { asksPayer, isHeld, type ReconciledShop, reconciledShop } from './reconciliation/reconciled-shop.ts';

const minute = 60_000;
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const nothing = { declined: { code: 'settled_by_operator', message: 'An operator has settled it.' } };

describe('A capture of which the provider reports another amount', () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());
  let paid: Awaited<ReturnType<ReconciledShop['paid']>>;
  beforeEach(async () => {
    paid = await shop.paid(isHeld, 'manual');
  });

  const differs = async () => {
    shop.provider.captures(async ({ chargeReference }) => ({ reference: chargeReference, amount: euros(1) }));
    const input = { paymentId: paid.payment.id, amount: euros(100) };
    const error = await rejectionOf(shop.run(shop.useCases.captures.create, shop.staff, input));
    expect(error).to.be.instanceOf(ProviderMismatch);
    const [capture] = await captures();
    return capture ?? expect.fail('There is none.');
  };
  const captures = () => shop.unitOfWork.read((all) => all.captures.findBy('paymentId', [paid.payment.id]));
  const recordsAsCaptured = (amount: ReturnType<typeof euros>) =>
    shop.unitOfWork.run(async ({ payments }) =>
      payments.save(Payment.capture(await current(), amount, shop.now())),
    );
  const current = async () => (await shop.paymentOf(paid.payment.id)) ?? expect.fail('It is gone.');
  const settle = (id: Payment['id'], outcome: typeof nothing | { readonly reference: string }) =>
    shop.run(shop.useCases.payments.settle, shop.admin, { id, outcome });

  it('stays pending, and is reported hourly under its own id', async () => {
    const { id } = await differs();
    for (let passed = 0; passed < 121; passed += 1) {
      shop.advance(minute);
      expect((await process.recoverAbandonedProcesses()).errors).to.deep.equal([]);
    }
    expect(process.mismatches).to.deep.equal([id, id, id]);
    expect((await captures()).map(({ status }) => status)).to.deep.equal(['pending']);
    expect((await current()).status).to.equal('authorized');
  });

  it('is settled by an administrator as made or as failed, and its payment waits for that', async () => {
    const { id } = await differs();
    expect(await kindOf(settle(paid.payment.id, nothing))).to.equal('invalid-state');
    const outcome = { reference: paid.reference };
    await shop.run(shop.useCases.captures.settle, shop.admin, { id, outcome });
    expect((await captures()).map(({ status }) => status)).to.deep.equal(['succeeded']);
    expect(Payment.captured(await current())).to.deep.equal(euros(100));
    expect(await kindOf(shop.run(shop.useCases.captures.settle, shop.admin, { id, outcome }))).to.equal(
      'invalid-state',
    );
  });

  it('is not found by reconciliation either, until an administrator has settled it', async () => {
    const { payment, providerObject, reference } = paid;
    const { id } = await differs();
    shop.becomes(payment.id, { reference, amount: euros(1) });
    await shop.enqueue(providerObject);
    await process.reconcileCharges();
    expect((await current()).status).to.equal('authorized');
    await shop.run(shop.useCases.captures.settle, shop.admin, { id, outcome: nothing });
    await process.reconcileCharges();
    expect(Payment.captured(await current())).to.deep.equal(euros(1));
    expect((await captures()).map(({ status, amount }) => [status, amount.amount])).to.have.deep.members([
      ['failed', 100],
      ['succeeded', 1],
    ]);
  });

  it('is not settled as made when another amount is recorded as captured', async () => {
    const { reference } = paid;
    const { id } = await differs();
    await recordsAsCaptured(euros(1));
    const error = await rejectionOf(
      shop.run(shop.useCases.captures.settle, shop.admin, { id, outcome: { reference } }),
    );
    expect(error).to.include({ kind: 'invalid-state' });
    expect((error as Error).message).to.contain('1 EUR');
    expect((await captures()).map(({ status }) => status)).to.deep.equal(['pending']);
    await shop.run(shop.useCases.captures.settle, shop.admin, { id, outcome: nothing });
    expect((await captures()).map(({ status, amount }) => [status, amount.amount])).to.have.deep.members([
      ['failed', 100],
      ['succeeded', 1],
    ]);
  });

  it('is reported when the provider reports no amount, and another one is recorded as captured', async () => {
    shop.provider.captures(async () => {
      await recordsAsCaptured(euros(1));
      return { reference: paid.reference };
    });
    const input = { paymentId: paid.payment.id, amount: euros(100) };
    const create = shop.run(shop.useCases.captures.create, shop.staff, input);
    expect(await rejectionOf(create)).to.be.instanceOf(ProviderMismatch);
    shop.provider.captures(async () => ({ reference: paid.reference }));
    shop.advance(2 * minute);
    await process.recoverAbandonedProcesses();
    const [{ id, status } = expect.fail('There is none.')] = await captures();
    expect(process.mismatches).to.deep.equal([id]);
    expect(status).to.equal('pending');
    expect(Payment.captured(await current())).to.deep.equal(euros(1));
  });

  it('is no capture when it was made at the provider: an administrator settles the payment', async () => {
    const { payment, reference } = paid;
    expect(await settle(payment.id, { reference })).to.include({ status: 'succeeded' });
    expect((await captures()).map(({ status, amount }) => [status, amount])).to.deep.equal([
      ['succeeded', payment.amount],
    ]);
    expect(await kindOf(settle(payment.id, nothing))).to.equal('invalid-state');
  });

  it('leaves a payment that waits to be settled as failed, which opens its order', async () => {
    for (const [state, status] of [
      [isHeld, 'canceled'],
      [asksPayer, 'failed'],
    ] as const) {
      const { payment, order } = await shop.paid(state, 'manual');
      expect((await settle(payment.id, nothing)).status).to.equal(status);
      expect(await shop.unitOfWork.read(({ orders }) => orders.find(order.id))).to.include({
        ...{ status: 'pending', paying: false },
      });
    }
  });
});
