import { expect } from 'chai';
import { ApplicationError, concernedBy } from '#application/errors.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { euros, paidShop } from './reconciliation/paid-shop.ts';
import { isHeld } from './reconciliation/reconciled-shop.ts';

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('A call of the payment provider that fails', () => {
  const paid = ofEachTest(paidShop);
  const fail = async (): Promise<never> => {
    throw new ApplicationError('provider-failed', 'It fails.');
  };

  it('says which payment and order it was about', async () => {
    const { shop } = paid;
    const order = await shop.placeOrder(shop.customer, await shop.newProduct());
    shop.provider.charges(() => {
      throw new ApplicationError('provider-timeout', 'No answer came.');
    });
    const input = { orderId: order.id, paymentMethod: 'tok_ok' };
    const error = await errorOf(shop.run(shop.useCases.payments.pay, shop.customer, input));
    const [payment] = await shop.unitOfWork.read(({ payments }) => payments.findBy('orderId', [order.id]));
    expect(concernedBy(error)).to.deep.equal({ paymentId: payment?.id, orderId: order.id });
  });

  it('for a refund or a capture has the order of its payment', async () => {
    const { shop, payment, order } = paid;
    shop.provider.refunds(fail);
    const ofRefund = await errorOf(paid.refund(100));
    const [refund] = await paid.refunds();
    expect(concernedBy(ofRefund)).to.deep.equal({
      ...{ refundId: refund?.id, paymentId: payment.id, orderId: order.id },
    });
    const held = await shop.paid(isHeld, 'manual');
    shop.provider.captures(fail);
    const input = { paymentId: held.payment.id, amount: euros(100) };
    const ofCapture = await errorOf(shop.run(shop.useCases.captures.create, shop.staff, input));
    expect(concernedBy(ofCapture)).to.include({ paymentId: held.payment.id, orderId: held.order.id });
  });
});
