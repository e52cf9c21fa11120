import { expect } from 'chai';
import fc from 'fast-check';
import { Quantity } from '#domain/quantity.ts';

/** Any number with at most three decimals that people may write. */
const decimals = fc.integer({ min: 1, max: 1_000_000_000 }).map((count) => Number(`${count}e-3`));

describe('A quantity', () => {
  it('round-trips through a number', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        expect(Quantity.ordered.violation(value)).to.equal(undefined);
        expect(Quantity.toNumber(Quantity.of(value))).to.equal(value);
      }),
    );
  });

  it('counts whole thousandths', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        expect(Quantity.of(value)).to.satisfy(Number.isSafeInteger);
      }),
    );
  });

  it('is unchanged after another is added and subtracted', () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        const sum = Quantity.plus(Quantity.of(one), Quantity.of(other));
        expect(Quantity.minus(sum, Quantity.of(other))).to.equal(Quantity.of(one));
      }),
    );
  });

  it('adds tenths exactly', () => {
    expect(Quantity.toNumber(Quantity.plus(Quantity.of(0.1), Quantity.of(0.2)))).to.equal(0.3);
  });

  it('has at most three decimals', () => {
    const finer = fc
      .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 1, max: 9_999_999 }))
      .filter(([, fraction]) => fraction % 10_000 !== 0)
      .map(([whole, fraction]) => Number(`${whole}.${String(fraction).padStart(7, '0')}`));
    fc.assert(
      fc.property(finer, (value) => {
        expect(Quantity.ordered.violation(value)).to.equal('must have at most three decimals');
        expect(Quantity.stocked.violation(value)).to.equal('must have at most three decimals');
      }),
    );
  });

  for (const value of [0.001, 1, 1.5, 999_999.999, 1_000_000]) {
    it(`may be ${value}, ordered or in stock`, () => {
      expect(Quantity.ordered.violation(value)).to.equal(undefined);
      expect(Quantity.stocked.violation(value)).to.equal(undefined);
    });
  }

  for (const value of [-1, -0.001, 1_000_000.001, 1_000_001, 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`may not be ${value}, neither ordered nor in stock`, () => {
      expect(Quantity.ordered.violation(value)).to.be.a('string');
      expect(Quantity.stocked.violation(value)).to.be.a('string');
    });
  }

  it('can be 0 in stock, but not in an order', () => {
    expect(Quantity.stocked.violation(0)).to.equal(undefined);
    expect(Quantity.ordered.violation(0)).to.equal('must be greater than 0');
    expect(Quantity.zero).to.equal(Quantity.of(0));
  });

  it('is a multiple of another exactly, however many decimals both have', () => {
    const isMultiple = (quantity: number, step: number): boolean =>
      Quantity.isMultiple(Quantity.of(quantity), Quantity.of(step));
    expect([2, 1.5, 0.001].map((quantity) => isMultiple(quantity, 1))).to.deep.equal([true, false, false]);
    expect([0.75, 0.3].map((quantity) => isMultiple(quantity, 0.25))).to.deep.equal([true, false]);
    // As floating-point numbers, each of these leaves a remainder.
    expect(isMultiple(0.3, 0.1)).to.equal(true);
    expect(isMultiple(1.1, 0.1)).to.equal(true);
    expect(isMultiple(999_999.999, 0.001)).to.equal(true);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (count, step) => {
          expect(isMultiple(Number(`${count * step}e-3`), Number(`${step}e-3`))).to.equal(true);
        },
      ),
    );
  });

  it('is never negative zero', () => {
    expect(Quantity.stocked.violation(-0)).to.equal('must be 0 without a sign');
    expect(Quantity.ordered.violation(-0)).to.equal('must be greater than 0');
  });
});
