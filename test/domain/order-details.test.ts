import { expect } from 'chai';
import { Order, type OrderStatus, orderStatuses } from '#domain/order.ts';
import { OrderDetails } from '#domain/order-details.ts';
import { TaxRate } from '#domain/tax.ts';
import { aPurchase, aUser, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const { item } = aPurchase();
const order = Order.place(item.orderId, aUser().id, [item], noon);
const { currency } = order.total;

const home = { name: 'Ada Hill', line1: 'Herrengasse 1', city: 'Wien', country: 'AT' };

const fieldsOf = (details: OrderDetails, of = order): string => {
  const { kind, fields } = domainErrorOf(() => OrderDetails.merge(of, details));
  return [kind, ...fields].join(' ');
};

describe('The details of an order', () => {
  it('change only what is given', () => {
    expect(OrderDetails.merge(order, {})).to.deep.equal({});
    expect(OrderDetails.merge(order, { note: null })).to.deep.equal({ note: null });
    expect(OrderDetails.merge(order, { shippingTaxRate: TaxRate.of(20) })).to.deep.equal({
      shippingTaxRate: 20_000,
    });
  });

  it('are empty when nothing is given, and for staff when it is theirs to write', () => {
    expect(OrderDetails.isEmpty({})).to.equal(true);
    expect(OrderDetails.isEmpty({ note: null })).to.equal(false);
    for (const own of [{ note: '' }, { shippingAddress: null }, { billingAddress: home }])
      expect(OrderDetails.isForStaff(own)).to.equal(false);
    for (const theirs of [
      { externalId: null },
      { metadata: {} },
      { shipping: {} },
      { discount: {} },
      { shippingTaxRate: null },
    ])
      expect(OrderDetails.isForStaff(theirs), JSON.stringify(theirs)).to.equal(true);
  });

  it('merge an address, and name each field of which the result is not valid', () => {
    const { shippingAddress } = OrderDetails.merge(order, { shippingAddress: home });
    expect(shippingAddress).to.include({ ...home, phone: null });
    const with1 = { ...order, shippingAddress: shippingAddress ?? null };
    expect(OrderDetails.merge(with1, { shippingAddress: { phone: '1' } }).shippingAddress).to.include({
      ...home,
      phone: '1',
    });
    expect(OrderDetails.merge(with1, { shippingAddress: null })).to.deep.equal({ shippingAddress: null });
    expect(
      fieldsOf({ shippingAddress: { city: 'Wien' }, billingAddress: { ...home, country: 'XX' } }),
    ).to.equal(
      'validation shippingAddress.name shippingAddress.line1 shippingAddress.country billingAddress.country',
    );
  });

  it('merge money, in the currency of the order only', () => {
    const merged = OrderDetails.merge(order, {
      shipping: { amount: 490 },
      discount: { amount: 90, currency },
    });
    expect(merged).to.deep.equal({
      shipping: { amount: 490, currency },
      discount: { amount: 90, currency },
      total: { amount: order.total.amount + 400, currency },
    });
    expect(fieldsOf({ shipping: { currency: 'JPY' } })).to.equal('validation shipping.currency');
    expect(fieldsOf({ discount: { amount: 1, currency: 'JPY' } })).to.equal('validation discount.currency');
    for (const amount of [-1, -0, 0.5, Number.NaN, 2 ** 53])
      expect(fieldsOf({ discount: { amount } }), `${amount}`).to.equal('validation discount.amount');
    expect(fieldsOf({ discount: { amount: order.total.amount + 1 } })).to.equal('validation discount');
  });

  it('reject texts that no request can have', () => {
    expect(fieldsOf({ externalId: 'a b', note: 'x'.repeat(1001) })).to.equal('validation externalId note');
    expect(fieldsOf({ metadata: { __proto: 'x'.repeat(501) } })).to.equal('validation metadata');
  });

  describe('are written', () => {
    const writes: Readonly<Record<string, OrderDetails>> = {
      shippingAddress: { shippingAddress: null },
      billingAddress: { billingAddress: null },
      note: { note: null },
      shipping: { shipping: {} },
      discount: { discount: {} },
      shippingTaxRate: { shippingTaxRate: null },
      metadata: { metadata: {} },
      externalId: { externalId: null },
    };
    const writable = (from: Partial<Order>, byStaff: boolean): string =>
      Object.entries(writes)
        .filter(([, details]) => {
          try {
            OrderDetails.requireWritable({ ...order, ...from }, details, byStaff);
            return true;
          } catch {
            return false;
          }
        })
        .map(([name]) => name)
        .join(' ');
    const always = 'metadata externalId';

    it('by the owner while the order is pending, also during a payment', () => {
      const own = 'shippingAddress billingAddress note';
      for (const paying of [false, true])
        expect(writable({ status: 'pending', paying }, false)).to.match(new RegExp(`^${own}`));
      for (const status of orderStatuses.filter((one) => one !== 'pending'))
        expect(writable({ status }, false), status).to.equal(always);
    });

    it('by staff: prices while it is open, shipping address and note until it is fulfilled, the rest always', () => {
      const expected: Readonly<Record<OrderStatus, string>> = {
        pending: `shippingAddress billingAddress note shipping discount shippingTaxRate ${always}`,
        paid: `shippingAddress billingAddress note ${always}`,
        fulfilled: `billingAddress ${always}`,
        canceled: `billingAddress ${always}`,
        refunded: `billingAddress ${always}`,
      };
      for (const status of orderStatuses)
        expect(writable({ status }, true), status).to.equal(expected[status]);
      expect(writable({ paying: true }, true)).to.equal(`shippingAddress billingAddress note ${always}`);
    });
  });
});
