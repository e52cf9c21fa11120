import { expect } from 'chai';
import { Order, orderStatuses } from '#domain/order.ts';
import { Payment, paymentStatuses } from '#domain/payment.ts';
import { aPurchase, later } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const { order, payment } = aPurchase();
const at = later(9);

/** The message of what is thrown, which must say that the state does not allow it. */
const messageOf = (rejected: () => unknown): string => {
  let message = '';
  const noted = (): void => {
    try {
      rejected();
    } catch (error) {
      message = (error as Error).message;
      throw error;
    }
  };
  expect(domainErrorOf(noted).kind).to.equal('invalid-state');
  return message;
};

/** The messages of requests that the status of a payment does not allow, by the status. */
const messages = (request: (status: (typeof paymentStatuses)[number]) => unknown, allowed: string[]) =>
  Object.fromEntries(
    paymentStatuses
      .filter((status) => !allowed.includes(status))
      .map((status) => [status, messageOf(() => request(status))]),
  );

describe('The message of what a status does not allow', () => {
  it('names what ends the payment of an order: its payer, a cancellation, staff, or itself', () => {
    const paying: Order = { ...order, status: 'pending', paying: true };
    for (const change of [
      () => Order.beginPayment(paying, at),
      () => Order.transitionTo(paying, 'canceled', at),
      () => Order.transitionTo(paying, 'fulfilled', at),
    ])
      expect(messageOf(change)).to.match(/payer acts.*canceled.*staff capture or cancel.*itself/);
  });

  it('names what can be done with an order that is not pending any more', () => {
    for (const status of orderStatuses.filter((each) => each !== 'pending')) {
      const expected = status === 'paid' || status === 'fulfilled' ? /refund its payment/ : /new order/;
      const closed: Order = { ...order, status, paying: false };
      expect(
        messageOf(() => Order.requireOpen(closed)),
        status,
      ).to.match(expected);
    }
  });

  it('names what can be done instead of each transition of an order', () => {
    const instead = {
      pending: /once it is paid/,
      paid: /Refund its payment.*lost in a dispute/,
      fulfilled: /final.*refund its payment/,
      canceled: /final.*new order/,
      refunded: /final.*new order/,
    };
    for (const status of orderStatuses) {
      const to = status === 'pending' ? 'fulfilled' : 'canceled';
      const from: Order = { ...order, status, paying: false };
      expect(
        messageOf(() => Order.transitionTo(from, to, at)),
        status,
      ).to.match(instead[status]);
    }
  });

  it('names what can be done instead of a capture', () => {
    const capture = (status: Payment['status']) =>
      Payment.requireCapturable({ ...payment, status }, payment.amount);
    const found = messages(capture, ['authorized']);
    expect(found['requires_action']).to.match(/payer acts/);
    for (const status of ['pending', 'processing']) expect(found[status]).to.match(/wait|ends when/);
    for (const status of ['succeeded', 'partially_refunded']) expect(found[status]).to.match(/refund it/);
    for (const status of ['failed', 'canceled']) expect(found[status]).to.match(/pay the order again/);
    expect(found['refunded']).to.match(/given back/);
  });

  it('names what can be done instead of a cancellation of a payment', () => {
    const cancel = (status: Payment['status']) => Payment.requireCancelable({ ...payment, status });
    const found = messages(cancel, ['authorized', 'requires_action']);
    for (const status of ['pending', 'processing']) expect(found[status]).to.match(/wait|ends when/);
    for (const status of ['succeeded', 'partially_refunded']) expect(found[status]).to.match(/Refund it/);
    for (const status of ['failed', 'canceled']) expect(found[status]).to.match(/pay the order again/);
    expect(found['refunded']).to.match(/given back/);
  });

  it('names what can be done instead of a refund', () => {
    const refund = (status: Payment['status']) =>
      Payment.beginRefund({ ...payment, status }, payment.amount, at);
    const found = messages(refund, ['succeeded', 'partially_refunded']);
    for (const status of ['authorized', 'requires_action']) expect(found[status]).to.match(/Cancel it/);
    for (const status of ['pending', 'processing']) expect(found[status]).to.match(/wait|ends when/);
    for (const status of ['failed', 'canceled']) expect(found[status]).to.match(/taken no money/);
    expect(found['refunded']).to.match(/given back/);
  });
});
