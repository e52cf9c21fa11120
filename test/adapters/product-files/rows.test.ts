import { expect } from 'chai';
import { createRowReader } from '#adapters/product-files/rows.ts';
import { woocommerce } from '#adapters/product-files/woocommerce.ts';
import { Money } from '#domain/money.ts';

const required = {
  advice: { sign: 'choose a sign', minorUnit: 'convert it' },
  decimalsOf: Money.decimalsOf,
};

describe('A row of a file of products', () => {
  const headers = ['SKU', '', 'Name', 'Remark'];
  const reader = createRowReader({ names: ['sku', '', 'name', undefined], headers }, { ...required });
  const read = (...cells: readonly string[]): unknown => {
    const found = reader.read(cells);
    return found !== undefined && 'fields' in found ? found.fields : found;
  };

  it('is read by the names of its columns', () => {
    expect(read('A', '', 'Tea', 'x')).to.deep.equal({ sku: 'A', name: 'Tea' });
    expect(read('A', ' ', 'Tea', '', '', ' ')).to.deep.equal({ sku: 'A', name: 'Tea' });
    expect(read('', ' ', '', '')).to.equal(undefined);
  });

  it('is rejected where its cells may be under the wrong names', () => {
    for (const [cells, error] of [
      [['A', '', 'Tea'], 'has 3 cells, but the header names 4 columns'],
      [['A'], 'has 1 cell, but the header names 4 columns'],
      [['A', '', 'Tea', '', '', 'x'], 'has 6 cells, but the header names 4 columns'],
      [['A', 'x', 'Tea', ''], 'has a value in column 2, which has no name in the header'],
    ] as const)
      expect(read(...cells)).to.deep.equal({ error });
  });

  it('needs no cells for columns without a name at the end, and may have some where those are left out', () => {
    const trailing = createRowReader({ names: ['sku', undefined], headers: ['SKU', ' '] }, { ...required });
    for (const cells of [['A'], ['A', ''], ['A', 'x']])
      expect(trailing.read(cells), cells.join()).to.deep.include({ fields: { sku: 'A' } });
    expect(trailing.read(['A', 'x', 'y'])).to.deep.equal({
      error: 'has 3 cells, but the header names 1 column',
    });
  });

  it('is rejected with the error of a formula in a column that is read', () => {
    for (const cell of [
      '#N/A',
      '#REF!',
      '#VALUE!',
      '#DIV/0!',
      ' #NAME? ',
      '#NV',
      '#BEZUG!',
      'Err:502',
      '####',
    ])
      expect(read('A', '', cell, ''), cell).to.deep.equal({
        error: `has ${cell.trim()} in the column Name, where a spreadsheet could not show a value`,
      });
    expect(read('#12', '', '#1 Tea', '#REF!')).to.deep.equal({ sku: '#12', name: '#1 Tea' });
  });

  it('of another shop is read by its preset, and a column with a name of ours goes first', () => {
    const names = ['sku', 'price', 'price_amount'];
    const ofShop = createRowReader(
      { names, headers: names },
      { preset: woocommerce, ...required, currency: 'EUR', sign: 'dot', writtenBy: 'program' },
    );
    const priceOf = (...cells: readonly string[]) => {
      const found = ofShop.read(cells);
      return found && 'fields' in found ? found.fields.price : found;
    };
    expect(priceOf('A', '12.90', '7')).to.deep.equal({ amount: 7, currency: 'EUR' });
    expect(priceOf('A', '12.90', '')).to.equal(undefined);
  });
});
