import { expect } from 'chai';
import fc from 'fast-check';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { StockChange, type StockChangeId } from '#domain/stock-change.ts';
import { aProduct, later } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';
import { domainErrorOf } from './domain-error.ts';

describe('A stock change', () => {
  const counted = (stock: number): Product => aProduct({ stock: Quantity.of(stock) });
  const id = newId<StockChangeId>();
  const apply = (product: Product, change: number, reason: string | null = null) =>
    StockChange.apply(id, product, { change: Quantity.of(change), reason }, later(1));

  it('changes the product, and records what changed, why, and what is left', () => {
    const before = counted(10);
    const { product, change } = apply(before, -2.5, 'Broken');
    expect(product).to.deep.equal({
      ...before,
      stock: 7500,
      version: before.version + 1,
      updatedAt: later(1),
    });
    expect(change).to.deep.equal({
      ...{ id, version: 1, createdAt: later(1), updatedAt: later(1), productId: before.id },
      ...{ change: -2500, reason: 'Broken', stockAfter: 7500 },
    });
  });

  it('can empty a stock and fill it up, but not exceed either end', () => {
    expect(apply(counted(0.001), -0.001).product.stock).to.equal(0);
    expect(apply(counted(0), 1_000_000).product.stock).to.equal(Quantity.max);
    expect(apply(counted(1_000_000), -1_000_000).product.stock).to.equal(0);
    expect(domainErrorOf(() => apply(counted(1), -1.001)).kind).to.equal('out-of-stock');
    const full = { kind: 'validation', fields: ['change'] };
    expect(domainErrorOf(() => apply(counted(999_999.999), 0.002))).to.deep.equal(full);
  });

  it('needs a counted stock', () => {
    expect(domainErrorOf(() => apply(aProduct({ stock: null }), 1)).kind).to.equal('invalid-state');
  });

  it('is possible whatever the status of the product', () => {
    for (const status of ['draft', 'active', 'archived'] as const)
      expect(apply(aProduct({ status, stock: Quantity.of(1) }), 1).product.stock).to.equal(2000);
  });

  it('is a quantity other than 0, with at most three decimals', () => {
    for (const value of [-1_000_000, -1.5, -0.001, 0.001, 1, 1_000_000])
      expect(Quantity.changed.violation(value), `${value}`).to.equal(undefined);
    for (const [value, message] of [
      [0, 'must be other than 0'],
      [-0, 'must be other than 0'],
      [-1_000_000.001, 'must be at least -1000000'],
      [Number.NEGATIVE_INFINITY, 'must be at least -1000000'],
      [Number.NaN, 'must be at least -1000000'],
      [1_000_001, 'must be at most 1000000'],
      [Number.POSITIVE_INFINITY, 'must be at most 1000000'],
      [0.0001, 'must have at most three decimals'],
      [-1.0005, 'must have at most three decimals'],
    ] as const)
      expect(Quantity.changed.violation(value), `${value}`).to.equal(message);
    for (const change of [0, 1_000_001, -1_000_001])
      expect(domainErrorOf(() => apply(counted(1), change)).fields).to.deep.equal(['change']);
  });

  it('has a reason of at most 200 characters, or none', () => {
    expect(apply(counted(1), 1, '').change.reason).to.equal('');
    expect(apply(counted(1), 1, 'x'.repeat(200)).change.reason).to.have.lengthOf(200);
    expect(domainErrorOf(() => apply(counted(1), 1, 'x'.repeat(201))).fields).to.deep.equal(['reason']);
  });

  it('sums up exactly, in any sequence', () => {
    const thousandths = fc.integer({ min: -5_000, max: 5_000 }).filter((count) => count !== 0);
    fc.assert(
      fc.property(fc.array(thousandths), (counts) => {
        let product = counted(500_000);
        for (const count of counts) {
          const applied = apply(product, count / 1000);
          product = applied.product;
          expect(applied.change.stockAfter).to.equal(product.stock);
        }
        expect(product.stock).to.equal(500_000_000 + counts.reduce((sum, count) => sum + count, 0));
        expect(product.version).to.equal(1 + counts.length);
      }),
    );
  });
});
