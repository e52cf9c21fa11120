import { expect } from 'chai';
import {
  addQuantities,
  type CompareOptions,
  compare,
  type StoredProduct,
} from '#adapters/product-files/compare.ts';
import { type Cells, productFromCells } from '#adapters/product-files/product.ts';
import { Money } from '#domain/money.ts';

const required = {
  advice: { sign: 'choose a sign', minorUnit: 'convert it' },
  decimalsOf: Money.decimalsOf,
};

const stored: StoredProduct & { readonly tags: readonly string[]; readonly description: null } = {
  ...{ name: 'Tea', price: { currency: 'JPY', amount: 900 }, tags: ['green'], description: null },
  ...{ stock: 5, quantity_step: 1, tax_rate: 20, metadata: { season: 'May' } },
};

/** What a row does. */
const outcomeOf = (
  cells: Cells,
  existing: StoredProduct | null = stored,
  options: Partial<CompareOptions> & { readonly added?: number; readonly isAddedBefore?: boolean } = {},
) => {
  const { added, isAddedBefore, ...others } = options;
  const { fields } = productFromCells({ sku: 'A', ...cells }, { currency: 'EUR', ...required });
  const { sku = '', ...ofProduct } = fields;
  const product = { sku, fields: ofProduct, priceCells: cells, added };
  return compare(product, { existing, isAddedBefore }, { currency: 'EUR', ...required, ...others });
};

describe('The comparison of a row with the shop', () => {
  it('finds what changes, and nothing in what is the same', () => {
    const same = { name: 'Tea', price: '900', tags: 'Green', description: '', 'metadata.season': 'May' };
    expect(outcomeOf(same)).to.deep.include({ kind: 'unchanged', changes: {}, emptied: [] });
    const changes = {
      name: 'Mate',
      tags: '',
      'metadata.season': '',
      'metadata.old': '',
      'metadata.new': 'x',
    };
    expect(outcomeOf(changes)).to.deep.include({
      kind: 'changed',
      changes: { name: 'Mate', tags: [], metadata: { season: null, new: 'x' } },
    });
  });

  it('reads a price without a currency in that of the product', () => {
    expect(outcomeOf({ price: '850' })).to.deep.include({
      changes: { price: { amount: 850, currency: 'JPY' } },
    });
    expect(outcomeOf({ price: '8.50', price_currency: 'EUR' })).to.deep.include({
      changes: { price: { amount: 850, currency: 'EUR' } },
    });
    expect(outcomeOf({ price_currency: 'EUR' })).to.deep.include({
      changes: { price: { amount: 900, currency: 'EUR' } },
    });
    expect(outcomeOf({ price: '8.50' })).to.deep.include({
      kind: 'rejected',
      reason: 'price must be a whole number, as its currency has no decimals, not 8.50',
    });
  });

  it('asks before an empty cell changes what is sold, and only where it would', () => {
    const cells = { stock: '', tax_rate: '' };
    expect(outcomeOf(cells)).to.deep.include({
      ...{ kind: 'rejected', emptied: ['stock', 'tax_rate'] },
      reason:
        'stock is empty, so the 5 in stock would no longer be counted; tax_rate is empty, so no tax would be shown',
    });
    expect(outcomeOf(cells, stored, { allowUncounted: true })).to.deep.include({
      ...{ kind: 'changed', emptied: ['stock', 'tax_rate'], changes: { stock: null, tax_rate: null } },
    });
    expect(outcomeOf(cells, { ...stored, stock: null, tax_rate: null }).kind).to.equal('unchanged');
  });

  it('finds what a new product lacks', () => {
    for (const [cells, reason] of [
      [{}, 'a new product needs a name and a price'],
      [{ name: 'Tea' }, 'a new product needs a price'],
      [{ price: '1' }, 'a new product needs a name'],
      [{ price_currency: 'EUR', name: 'Tea' }, 'a new product needs a price'],
      [
        { sku: 'A ', name: ' Tea', price: '1' },
        'sku must not begin or end with a space; name must not begin or end with a space',
      ],
    ] as const)
      expect(outcomeOf(cells, null)).to.deep.equal({ kind: 'rejected', reason });
    expect(outcomeOf({ name: 'Tea', price: '1' }, null)).to.deep.equal({ kind: 'new' });
  });

  it('takes the ends of a name as they are stored', () => {
    expect(outcomeOf({ name: 'Tea ' }).kind).to.equal('rejected');
    expect(outcomeOf({ name: 'Tea ' }, { ...stored, name: 'Tea ' }).kind).to.equal('unchanged');
  });

  it('adds to a stock that is counted, once', () => {
    expect(outcomeOf({}, stored, { added: 0.1 })).to.deep.include({
      kind: 'changed',
      changes: { stock: 5.1 },
    });
    expect(outcomeOf({}, stored, { added: 2, isAddedBefore: true }).kind).to.equal('unchanged');
    expect(outcomeOf({}, { ...stored, stock: null }, { added: 2 })).to.deep.include({
      reason: 'its stock is not counted, so nothing can be added to it',
    });
    expect(addQuantities(0.1, 0.2)).to.equal(0.3);
  });
});
