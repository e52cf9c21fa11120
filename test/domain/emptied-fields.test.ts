import { expect } from 'chai';
import { emptiedFields, requireNotEmptied, sumOfEmptied, withEmptied } from '#domain/emptied-fields.ts';
import { DomainError } from '#domain/errors.ts';
import { Quantity } from '#domain/quantity.ts';
import { TaxRate } from '#domain/tax.ts';
import { aProduct } from '#test/contracts/samples.ts';

const sold = aProduct({ stock: Quantity.of(2.5), quantityStep: Quantity.of(0.25), taxRate: TaxRate.of(10) });
const all = { stock: null, quantityStep: null, taxRate: null };

describe('Fields that say what is sold', () => {
  it('are emptied by changes that remove a value, and by no others', () => {
    expect(emptiedFields(sold, all)).to.deep.equal(['stock', 'quantityStep', 'taxRate']);
    expect(emptiedFields(sold, { stock: Quantity.of(0) })).to.deep.equal([]);
    expect(emptiedFields(aProduct({ stock: null, quantityStep: null, taxRate: null }), all)).to.deep.equal(
      [],
    );
  });

  it('are each named with what would follow when they must not be emptied', () => {
    expect(() => requireNotEmptied(sold, { stock: null, taxRate: null }))
      .to.throw(DomainError)
      .with.property('fieldErrors')
      .deep.equal([
        { field: 'stock', message: 'is empty, so the 2.5 in stock would no longer be counted' },
        { field: 'taxRate', message: 'is empty, so no tax would be shown' },
      ]);
    expect(() => requireNotEmptied(sold, {})).not.to.throw();
  });

  it('are counted over products, without those that none loses', () => {
    const one = withEmptied(withEmptied({}, ['stock']), ['stock', 'taxRate']);
    expect(one).to.deep.equal({ stock: 2, taxRate: 1 });
    expect(sumOfEmptied(one, { taxRate: 3 })).to.deep.equal({ stock: 2, taxRate: 4 });
  });
});
