import { expect } from 'chai';
import { digitsOf, formatMoney as format } from '#adapters/ops/admin/browser/format.ts';
import { parseMoney as parse, amountToText as toText } from '#adapters/ops/admin/browser/money.ts';
import { Money } from '#domain/money.ts';

describe('Amounts that are typed on the admin page', () => {
  it('have a currency or none, and a point or a comma', () => {
    for (const text of ['20', '20.00', '20,0', '€20', '20 €', '€ 20,00', 'EUR 20.00', '20.00eur', ' 20 '])
      expect(parse(text, 'EUR'), text).to.equal(2000);
    expect(parse('0', 'EUR')).to.equal(0);
    expect(parse('0.5', 'EUR')).to.equal(50);
    expect(parse('1.234', 'KWD')).to.equal(1234);
    expect(parse('CA$20', 'CAD')).to.equal(2000);
    expect(parse('20 CA$', 'CAD')).to.equal(2000);
  });

  it('are read as the page shows them, thousands included', () => {
    for (const currency of ['EUR', 'USD', 'JPY', 'KWD', 'CHF'])
      for (const amount of [0, 5, 1650, 123_456, 1_234_567, 987_654_321])
        expect(parse(format({ amount, currency }), currency), `${amount} ${currency}`).to.equal(amount);
    for (const text of ['1,234.50', '1.234,50', "1'234.50", '1 234,50', '€1,234.50'])
      expect(parse(text, 'EUR'), text).to.equal(123_450);
  });

  it('are exact up to the largest that the API takes, and their sums above it', () => {
    const amount = Number.MAX_SAFE_INTEGER;
    expect(format({ amount, currency: 'EUR' })).to.equal('€90,071,992,547,409.91');
    expect(format({ amount: amount - 1, currency: 'KWD' })).to.contain('9,007,199,254,740.990');
    expect(format({ amount: 27_021_597_764_222_973n, currency: 'EUR' })).to.equal('€270,215,977,642,229.73');
    expect(format({ amount: -5, currency: 'EUR' })).to.equal('-€0.05');
    expect(format({ amount: -1234n, currency: 'JPY' })).to.equal('-¥1,234');
    for (const currency of ['EUR', 'JPY', 'KWD']) {
      expect(parse(toText({ amount, currency }), currency)).to.equal(amount);
      expect(parse(format({ amount, currency }), currency)).to.equal(amount);
    }
    expect(toText({ amount, currency: 'EUR' })).to.equal('90071992547409.91');
    expect(toText({ amount: 5, currency: 'EUR' })).to.equal('0.05');
    expect(() => parse('90071992547409.92', 'EUR')).to.throw(Error, '“90071992547409.92” is too large.');
  });

  it('have the decimals of ISO 4217, which differ from those that a browser shows', () => {
    for (const currency of Money.currencies)
      expect(digitsOf(currency), currency).to.equal(Money.decimalsOf(currency));
    for (const [currency, amount, shown] of [
      ['HUF', 25_050, '250.50'],
      ['IQD', 5_000, '5.000'],
    ] as const) {
      expect(format({ amount, currency })).to.contain(shown);
      expect(parse(shown, currency)).to.equal(amount);
    }
  });

  it('are rejected with what is wrong with them', () => {
    const limits = { most: 13_800, isPositive: true };
    const wrong = {
      abc: '“abc” is not an amount in EUR, such as 20.00.',
      $20: '“$20” is not an amount in EUR, such as 20.00.',
      '138.00abc': '“138.00abc” is not an amount in EUR, such as 20.00.',
      '1,23,4': '“1,23,4” is not an amount in EUR, such as 20.00.',
      '1,234,5': '“1,234,5” is not an amount in EUR, such as 20.00.',
      '1,234': '“1,234” has more than 2 decimals.',
      '200': 'That is more than the €138.00 that are left.',
      '-5': 'An amount is above 0.',
      '-€5': 'An amount is above 0.',
      '0,00': 'An amount is above 0.',
      ' ': 'Type an amount such as 20.00.',
    };
    for (const [text, message] of Object.entries(wrong))
      expect(() => parse(text, 'EUR', limits), text).to.throw(Error, message);
    expect(parse('138', 'EUR', limits)).to.equal(13_800);
    expect(() => parse('12.50', 'JPY')).to.throw(Error, '“12.50” has decimals, which JPY does not have.');
    expect(() => parse('-1', 'EUR')).to.throw(Error, 'An amount cannot be below 0.');
    expect(() => parse('2', 'EUR', { most: 100, isLeft: 'that are reserved' })).to.throw(
      Error,
      'That is more than the €1.00 that are reserved.',
    );
  });
});
