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
