import { expect } from 'chai';
import { OrderItem } from '#domain/order.ts';
import { Quantity } from '#domain/quantity.ts';
import { aProduct, aPurchase, later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const ids = aPurchase().item;

describe('An order item', () => {
  it('copies the name and the price of its product', () => {
    const product = aProduct({ name: 'Tea', price: { amount: 333, currency: 'EUR' } });
    expect(OrderItem.of(ids.id, ids.orderId, product, Quantity.of(1.5), noon)).to.deep.equal({
      id: ids.id,
      version: 1,
      createdAt: noon,
      updatedAt: noon,
      orderId: ids.orderId,
      productId: product.id,
      productName: 'Tea',
      unitPrice: { amount: 333, currency: 'EUR' },
      quantity: Quantity.of(1.5),
      total: { amount: 500, currency: 'EUR' },
      counted: false,
      taxRate: null,
    });
  });

  it('records whether its stock is counted', () => {
    const product = aProduct({ stock: Quantity.of(5) });
    expect(OrderItem.of(ids.id, ids.orderId, product, Quantity.of(5), noon).counted).to.equal(true);
  });

  it('keeps its price when it is resized, and records whether its stock is counted', () => {
    const { item } = aPurchase(aProduct({ price: { amount: 100, currency: 'EUR' } }), Quantity.of(2));
    expect(OrderItem.resize(item, Quantity.of(0.125), true, later(1))).to.deep.equal({
      ...item,
      quantity: Quantity.of(0.125),
      counted: true,
      taxRate: null,
      total: { amount: 13, currency: 'EUR' },
      version: 2,
      updatedAt: later(1),
    });
  });

  const costOf = (amount: number, currency: string, quantity: number): number =>
    OrderItem.of(ids.id, ids.orderId, aProduct({ price: { amount, currency } }), Quantity.of(quantity), noon)
      .total.amount;

  it('costs at least 1 minor unit when its price is above 0', () => {
    expect(costOf(499, 'EUR', 0.001)).to.equal(1);
    expect(costOf(4, 'JPY', 0.124)).to.equal(1);
    expect(costOf(1, 'EUR', 0.001)).to.equal(1);
    expect(costOf(500, 'EUR', 0.001)).to.equal(1);
    expect(costOf(1500, 'EUR', 0.001)).to.equal(2);
    expect(costOf(0, 'EUR', 1_000_000)).to.equal(0);
  });

  it('costs at least 1 minor unit after it was resized, too, and nothing when its price is 0', () => {
    const resized = (amount: number) => {
      const product = aProduct({ price: { amount, currency: 'EUR' } });
      const item = OrderItem.of(ids.id, ids.orderId, product, Quantity.of(2), noon);
      return OrderItem.resize(item, Quantity.of(0.001), false, later(1)).total.amount;
    };
    expect([499, 0].map(resized)).to.deep.equal([1, 0]);
  });

  it('is rejected when its total exceeds the maximum, new or resized', () => {
    const dear = aProduct({ price: { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' } });
    const { item } = aPurchase(dear, Quantity.of(1));
    const expected = { kind: 'validation', fields: ['quantity'] };
    expect(domainErrorOf(() => OrderItem.of(ids.id, ids.orderId, dear, Quantity.of(2), noon))).to.deep.equal(
      expected,
    );
    expect(domainErrorOf(() => OrderItem.resize(item, Quantity.of(2), false, noon))).to.deep.equal(expected);
  });
});
