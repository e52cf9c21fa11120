import { expect } from 'chai';
import { TaxRate } from '#domain/tax.ts';

describe('A tax rate', () => {
  it('is counted in thousandths of a percent', () => {
    expect(TaxRate.of(19)).to.equal(19_000);
    expect(TaxRate.of(5.5)).to.equal(5_500);
    expect(TaxRate.toNumber(TaxRate.of(8.875))).to.equal(8.875);
  });

  it('is from 0 to 100 percent, with at most three decimals', () => {
    for (const rate of [0, 0.001, 7, 8.875, 100])
      expect(TaxRate.percent.violation(rate), `${rate}`).to.equal(undefined);
    expect(TaxRate.percent.violation(-0)).to.equal('must be 0 without a sign');
    for (const rate of [-1, 100.001, Number.NaN, Number.POSITIVE_INFINITY])
      expect(TaxRate.percent.violation(rate), `${rate}`).to.equal('must be from 0 to 100');
    expect(TaxRate.percent.violation(0.0001)).to.equal('must have at most three decimals');
  });
});
