import { expect } from 'chai';
import * as fc from 'fast-check';
import { type DecimalSign, readDecimal } from '#adapters/product-files/numbers.ts';
import { Money } from '#domain/money.ts';

const read = (text: string, currency: string, sign?: DecimalSign): bigint | string => {
  const reading = readDecimal(text, { maxDecimals: Money.decimalsOf(currency), sign, advice: 'choose' });
  return 'value' in reading ? reading.value : reading.error;
};

describe('A price as people write it', () => {
  const prices: readonly (readonly [string, string, bigint, DecimalSign?])[] = [
    ['12.90', 'EUR', 1290n],
    ['12,90', 'EUR', 1290n],
    ['12,9', 'EUR', 1290n],
    ['12', 'EUR', 1200n],
    ['0', 'EUR', 0n],
    ['0.07', 'USD', 7n],
    ['.5', 'USD', 50n],
    ['12.', 'USD', 1200n],
    [' 12.90 ', 'EUR', 1290n],
    ['12.9000', 'EUR', 1290n],
    ['1.234,56', 'EUR', 123456n],
    ['1,234.56', 'USD', 123456n],
    ['1.234.567', 'EUR', 123456700n],
    ['12,345,678.9', 'USD', 1234567890n],
    ['1 234,56', 'SEK', 123456n],
    ['1\u00a0234,56', 'CZK', 123456n],
    ["1'234.50", 'CHF', 123450n],
    ['150', 'JPY', 150n],
    ['150.00', 'JPY', 150n],
    ['1,500', 'JPY', 1500n, 'dot'],
    ['12.500', 'KWD', 12500n],
    ['12.5', 'KWD', 12500n],
    ['1,500', 'TND', 1500n, 'comma'],
    ['1.500', 'EUR', 150000n, 'comma'],
    ['1.500', 'EUR', 150n, 'dot'],
    ['0.500', 'EUR', 50n],
    ['250.50', 'HUF', 25050n],
    ['90071992547409.91', 'EUR', 9007199254740991n],
    ['0.0001', 'CLF', 1n],
  ];
  it('can have the signs and groups of its country', () => {
    for (const [text, currency, amount, sign] of prices) {
      expect(read(text, currency, sign), `${text} ${currency}`).to.equal(amount);
    }
  });

  const rejected: readonly (readonly [string, string, RegExp, DecimalSign?])[] = [
    ['1,500', 'EUR', /^must not be 1,500, which can mean two numbers; choose$/],
    ['1.500', 'EUR', /^must not be 1\.500, which can mean two numbers/],
    ['12.905', 'EUR', /^must not be 12\.905, which can mean two numbers/],
    ['1,500', 'KWD', /^must not be 1,500, which can mean two numbers/],
    ['1.500', 'JPY', /^must not be 1\.500, which can mean two numbers/],
    ['12.9051', 'EUR', /^must have at most 2 decimals, not 12\.9051$/],
    ['12.905', 'EUR', /^must have at most 2 decimals, not 12\.905$/, 'dot'],
    ['12.50', 'JPY', /^must be a whole number, as its currency has no decimals, not 12\.50$/],
    ['1.2.3', 'EUR', /^must be a number such as 12\.90, not 1\.2\.3$/],
    ['1.23,4.5', 'EUR', /^must be a number/],
    ['12,34,567.00', 'INR', /^must be a number/],
    ['-1', 'EUR', /^must be a number/],
    ['1e3', 'EUR', /^must be a number/],
    ['€12.90', 'EUR', /^must be a number such as 12\.90, not €12\.90$/],
    ['free', 'EUR', /^must be a number/],
    ['.', 'EUR', /^must be a number/],
    ['12,90', 'EUR', /^must be a number/, 'dot'],
  ];
  it('is rejected where it can mean two numbers, or none', () => {
    for (const [text, currency, reason, sign] of rejected) {
      expect(read(text, currency, sign), `${text} ${currency}`).to.match(reason);
    }
  });

  it('is converted exactly, whatever its currency and size', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF', 'HUF', 'ISK');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), currency, (amount, code) => {
        const decimals = Money.decimalsOf(code);
        const digits = `${amount}`.padStart(decimals + 1, '0');
        const whole = digits.slice(0, digits.length - decimals);
        const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
        expect(read(text, code, 'dot')).to.equal(amount);
        expect(read(text.replace('.', ','), code, 'comma')).to.equal(amount);
      }),
    );
  });
});
