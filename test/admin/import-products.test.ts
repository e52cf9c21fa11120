import { expect } from 'chai';

type ProductOf = (
  texts: Readonly<Record<string, string>>,
  options: { readonly currency?: string; readonly sign?: string },
) => {
  readonly fields: { readonly quantity_step?: unknown; readonly price?: { readonly amount: number } };
  readonly errors: readonly string[];
};

/** A module of the page, which has no types. */
const module = new URL('../../adapters/ops/admin/browser/views/import/products.js', import.meta.url);

describe('Products of files on the admin page', () => {
  let productOf: ProductOf;
  before(async () => {
    productOf = (await import(module.href)).productOf;
  });
  const stepOf = (text: string, sign?: string): unknown => {
    const { fields, errors } = productOf(
      { sku: 'A', quantity_step: text },
      sign === undefined ? {} : { sign },
    );
    return errors[0] ?? fields.quantity_step;
  };

  it('have a step of ordered quantities, which an empty cell takes away', () => {
    expect(['1', ' 0,25 ', '0.125', ''].map((text) => stepOf(text))).to.deep.equal([1, 0.25, 0.125, null]);
    expect(productOf({ sku: 'A' }, {}).fields).not.to.have.property('quantity_step');
  });

  it('have an example of each number that cannot be read, and none below 0', () => {
    const errorsOf = (texts: Readonly<Record<string, string>>, sign?: string) =>
      productOf({ sku: 'A', currency: 'EUR', ...texts }, sign === undefined ? {} : { sign }).errors;
    expect(errorsOf({ stock: '-3' })).to.deep.equal(['stock must be a number of 0 or more, not -3']);
    expect(errorsOf({ stock: 'x', quantity_step: 'x', tax_rate: 'x', price: 'x' }, 'comma')).to.deep.equal([
      'stock must be a number such as 12, not x',
      'quantity_step must be a number such as 0,25, not x',
      'tax_rate must be a number such as 19, not x',
      'price must be a number such as 12,90, not x',
    ]);
    expect(errorsOf({ price: 'x', currency: 'JPY' })).to.deep.equal([
      'price must be a number such as 1290, not x',
    ]);
  });

  it('have prices that are exact, and none above the largest', () => {
    const read = (texts: Readonly<Record<string, string>>) => {
      const { fields, errors } = productOf({ sku: 'A', currency: 'EUR', ...texts }, {});
      return errors[0] ?? fields.price?.amount;
    };
    expect(read({ price: '90071992547409.91' })).to.equal(Number.MAX_SAFE_INTEGER);
    expect(read({ price_amount: '9007199254740991' })).to.equal(Number.MAX_SAFE_INTEGER);
    for (const texts of [{ price: '90071992547409.92' }, { price_amount: '9007199254740993' }])
      expect(read(texts)).to.match(/^price must be less than 2\^53 of the smallest unit/);
  });

  it('have no step that can mean a thousand', () => {
    expect(stepOf('1.000')).to.match(/^quantity_step must not be 1\.000, which can mean two numbers/);
    expect(stepOf('1.000', 'dot')).to.equal(1);
  });
});
