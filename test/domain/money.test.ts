import { expect } from 'chai';
import fc from 'fast-check';
import { Money } from '#domain/money.ts';
import { Quantity } from '#domain/quantity.ts';
import { domainErrorOf } from './domain-error.ts';

const most = Number.MAX_SAFE_INTEGER;
const euros = (amount: number): Money => ({ amount, currency: 'EUR' });
const thousandths = (count: number): Quantity => Quantity.of(count / 1000);

describe('Money', () => {
  describe('multiplied by a quantity', () => {
    it('is exact, and rounds half a minor unit away from zero', () => {
      const prices = fc.integer({ min: 0, max: 2 ** 43 });
      const quantities = fc.integer({ min: 1, max: 1_000_000 });
      fc.assert(
        fc.property(prices, quantities, (amount, count) => {
          const exact = BigInt(amount) * BigInt(count);
          const whole = exact / 1000n;
          const expected = exact % 1000n >= 500n ? whole + 1n : whole;
          expect(Money.times(euros(amount), thousandths(count)).amount).to.equal(Number(expected));
        }),
      );
    });

    const examples: readonly (readonly [price: number, quantity: number, total: number])[] = [
      [1, 0.499, 0],
      [1, 0.5, 1],
      [3, 0.5, 2],
      [333, 0.333, 111],
      [105, 1.1, 116],
      [0, 1_000_000, 0],
      [most, 1, most],
      [9_007_199_254, 1_000_000, 9_007_199_254_000_000],
    ];
    for (const [price, quantity, total] of examples) {
      it(`is ${total} for ${quantity} times ${price}`, () => {
        expect(Money.times(euros(price), Quantity.of(quantity))).to.deep.equal(euros(total));
      });
    }

    it('is rejected when the total exceeds the maximum', () => {
      expect(domainErrorOf(() => Money.times(euros(most), Quantity.of(1.001)))).to.deep.equal({
        kind: 'validation',
        fields: ['quantity'],
      });
    });
  });

  it('is unchanged after an amount is added and subtracted', () => {
    const half = fc.integer({ min: 0, max: Math.floor(most / 2) });
    fc.assert(
      fc.property(half, half, (one, other) => {
        const sum = Money.plus(euros(one), euros(other));
        expect(Money.minus(sum, euros(other))).to.deep.equal(euros(one));
        expect(Money.minus(sum, euros(one))).to.deep.equal(euros(other));
      }),
    );
  });

  it('can be up to 2^53-1, and no sum can exceed it', () => {
    expect(Money.plus(euros(most - 1), euros(1))).to.deep.equal(euros(most));
    expect(domainErrorOf(() => Money.plus(euros(most), euros(1))).kind).to.equal('validation');
  });

  it('equals money of the same amount in the same currency only', () => {
    expect(Money.equals(euros(5), euros(5))).to.equal(true);
    expect(Money.equals(euros(5), euros(6))).to.equal(false);
    expect(Money.equals(euros(5), { amount: 5, currency: 'USD' })).to.equal(false);
  });

  it('can be zero in a currency', () => {
    expect(Money.zero('JPY')).to.deep.equal({ amount: 0, currency: 'JPY' });
  });

  it('has the decimals of ISO 4217, which Intl does not have', () => {
    const codes = ['EUR', 'HUF', 'IDR', 'MGA', 'JPY', 'KRW', 'ISK', 'KWD', 'TND', 'CLF'];
    expect(codes.map(Money.decimalsOf)).to.deep.equal([2, 2, 2, 2, 0, 0, 0, 3, 3, 4]);
  });

  describe('in a request', () => {
    for (const amount of [0, 1, most]) {
      it(`may have the amount ${amount}`, () => {
        expect(Money.amount.violation(amount)).to.equal(undefined);
      });
    }

    for (const amount of [-1, -0, 0.5, most + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      it(`may not have the amount ${Object.is(amount, -0) ? '-0' : amount}`, () => {
        expect(Money.amount.violation(amount)).to.be.a('string');
      });
    }

    for (const currency of ['EUR', 'USD', 'JPY', 'KWD']) {
      it(`may be in ${currency}`, () => {
        expect(Money.currency.violation(currency)).to.equal(undefined);
      });
    }

    for (const currency of ['eur', 'EURO', 'EU', 'ABC', '', ' EUR']) {
      it(`may not be in "${currency}"`, () => {
        expect(Money.currency.violation(currency)).to.be.a('string');
      });
    }
  });
});
