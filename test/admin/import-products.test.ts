import { expect } from 'chai';

type ProductOf = (
  texts: Readonly<Record<string, string>>,
  options: { readonly currency?: string; readonly sign?: string },
) => { readonly fields: { readonly quantity_step?: unknown }; readonly errors: readonly string[] };

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

  it('have no step that can mean a thousand', () => {
    expect(stepOf('1.000')).to.match(/^quantity_step must not be 1\.000, which can mean two numbers/);
    expect(stepOf('1.000', 'dot')).to.equal(1);
  });
});
