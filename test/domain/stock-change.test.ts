import { expect } from 'chai';
import { Quantity } from '#domain/quantity.ts';
import { StockChange, type StockChangeId } from '#domain/stock-change.ts';
import { aProduct, noon } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';
import { domainErrorOf } from './domain-error.ts';

describe('A stock change', () => {
  const product = aProduct({ stock: Quantity.of(7.5) });
  const id = newId<StockChangeId>();

  it('records the product, what changed, why, and what is left', () => {
    const details = { change: Quantity.of(-2.5), reason: 'Broken' };
    expect(StockChange.record(id, product, details, noon)).to.deep.equal({
      ...{ id, version: 1, createdAt: noon, updatedAt: noon, productId: product.id },
      ...{ change: -2500, reason: 'Broken', stockAfter: 7500 },
    });
  });

  it('has a reason of at most 200 characters', () => {
    const details = { change: Quantity.of(1), reason: 'x'.repeat(201) };
    const error = domainErrorOf(() => StockChange.record(id, product, details, noon));
    expect(error.fields).to.deep.equal(['reason']);
  });
});
