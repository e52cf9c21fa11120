import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { UsageError } from '#bootstrap/cli/framework/exit-codes.ts';
import { presets } from '#bootstrap/cli/import/presets/all.ts';
import { readProducts } from './rows.ts';

const fixture = (name: string): Buffer => readFileSync(new URL(`fixtures/${name}.csv`, import.meta.url));
const euros = (amount: number) => ({ amount, currency: 'EUR' });

describe('The export of WooCommerce', () => {
  const { woocommerce: preset } = presets;
  const read = () => readProducts(fixture('woocommerce'), { preset, currency: 'EUR' });

  it('has a product for each simple product and each variation', async () => {
    const { products } = await read();
    const [kettle, ...others] = products;
    expect(kettle).to.deep.equal({
      sku: 'KETTLE-1',
      name: 'Kettle "Brook", 1.2 l',
      price: euros(3990),
      description: '<p>Heats 1.2 litres.</p>\n<p>Wash it by hand.</p>',
      status: 'active',
      stock: 14_000,
    });
    const brief = others.map(({ sku, name, price: { amount }, status, stock }) => [
      ...[sku, name, amount, status, stock],
    ]);
    expect(brief).to.deep.equal([
      ['APRON-RUST-S', 'Apron - Rust, S', 4950, 'active', 7000],
      ['APRON-RUST-M', 'Apron - Rust, M', 4950, 'active', 0],
      ['PATTERN-1', 'Apron pattern (PDF)', 600, 'draft', null],
      ['CUP-1', '+Cup Twin', 1100, 'active', 0],
    ]);
    expect(others.map(({ description }) => description)).to.deep.equal([null, null, 'Prints on A4.', null]);
  });

  it('has rows that are no products, and columns without a field', async () => {
    const { skipped, ignored } = await read();
    expect(skipped).to.deep.equal([
      '3: a variable product has no price of its own; its variations are imported',
      '8: a grouped product has no price of its own; its members are imported',
      '9: an external product is sold on another site',
    ]);
    expect(ignored).to.have.lengthOf(40);
    expect(ignored).to.include.members(['ID', 'GTIN, UPC, EAN, or ISBN', 'Meta: _wp_page_template']);
  });

  it('has rows that a person must complete', async () => {
    const { rejected } = await read();
    expect(rejected).to.have.lengthOf(2);
    expect(rejected[0]).to.match(/^6: Stock is "parent", a stock that variations share\. Write /);
    expect(rejected[1]).to.equal('11: sku is required: an import identifies products by it');
  });

  it('may have another price, by --map, and other names of columns', async () => {
    const text = 'Artikelnummer,Name,Regulärer Preis,Sale price\nA,Tea,"12,90",9\nB,Mate,5,\n';
    const renames = [
      { from: 'Artikelnummer', to: 'SKU' },
      { from: 'Regulärer Preis', to: 'Regular price' },
    ];
    const options = { preset, currency: 'EUR' };
    const { products } = await readProducts(text, { ...options, renames });
    expect(products.map(({ price }) => price)).to.deep.equal([euros(1290), euros(500)]);
    const sale = [...renames, { from: 'Sale price', to: 'price' }];
    const reduced = await readProducts(text, { ...options, renames: sale });
    expect(reduced.products.map(({ price }) => price)).to.deep.equal([euros(900)]);
    expect(reduced.rejected).to.deep.equal(['3: Sale price is required']);
  });

  it('converts prices by the currency', async () => {
    const text = 'SKU,Name,Regular price\nA,Tea,1250\nB,Mate,"1,250"\n';
    const amounts = async (currency: string) =>
      (await readProducts(text, { preset, currency })).products.map(({ price }) => price.amount);
    expect(await amounts('KWD')).to.deep.equal([1_250_000, 1250]);
    expect(await amounts('EUR')).to.deep.equal([125_000, 125]);
    expect(await amounts('JPY')).to.deep.equal([1250]);
  });

  it('needs a currency and the columns that hold a product', async () => {
    const messageOf = (text: string, currency?: string) =>
      readProducts(text, { preset, currency }).then(
        () => '',
        (error: unknown) => (error instanceof UsageError ? error.message : `${error}`),
      );
    expect(await messageOf('SKU,Name,Regular price\n')).to.equal(
      'The export of WooCommerce names no currency. Add --currency EUR, for example.',
    );
    expect(await messageOf('ID,Name,Categories\n', 'EUR')).to.match(
      /^The header lacks the required columns sku, regular_price of WooCommerce\. If the file has another name for it, use --map/,
    );
  });
});

describe('The export of Shopify', () => {
  const { shopify: preset } = presets;
  const read = () => readProducts(fixture('shopify'), { preset, currency: 'EUR' });

  it('has a product for each variant, named by its options', async () => {
    const { products } = await read();
    const [first, ...others] = products;
    expect(first).to.deep.equal({
      sku: 'LIN-S-SAND',
      name: 'Linen Shirt - S / Sand',
      price: euros(8900),
      description: '<p>Woven in <strong>Flanders</strong>.</p>\n<p>Wash at 30°.</p>',
      status: 'active',
      stock: 4000,
    });
    expect(
      others.map(({ sku, name, price: { amount }, status, stock }) => [sku, name, amount, status, stock]),
    ).to.deep.equal([
      ['LIN-M-SAND', 'Linen Shirt - M / Sand', 8900, 'active', 0],
      ['LIN-M-RUST', 'Linen Shirt - M / Rust', 9550, 'active', null],
      ['00123', 'Mug "Dune"', 1490, 'active', 25_000],
      ['MUG-12', 'Mug (box of 12)', 15_000, 'draft', 3000],
      ['SCARF-1', 'Scarf', 4500, 'archived', 0],
    ]);
    expect(others[0]?.description).to.equal(first?.description);
    expect(others[2]?.description).to.equal(null);
  });

  it('has rows that are no products, and one that a person must complete', async () => {
    const { skipped, rejected, ignored } = await read();
    expect(skipped).to.deep.equal([
      '6: the row has a further image of the product above it',
      '10: a gift card is not a product',
    ]);
    expect(rejected).to.deep.equal(['11: Variant SKU is required: an import identifies products by it']);
    expect(ignored).to.include.members(['Vendor', 'Variant Compare At Price', 'Image Src']);
  });

  it('may have the later names of the columns, and no quantities', async () => {
    const text =
      'Title,URL handle,Description,Published on online store,Status,SKU,Option1 value,Price,Inventory tracker\n' +
      'Cap,cap,Wool.,TRUE,Active,CAP-1,Navy,19.99,shopify\n,cap,,,,CAP-2,Sand,19.99,shopify\n' +
      'Bag,bag,,TRUE,Unlisted,BAG-1,Default Title,1500,\n';
    const { products } = await readProducts(text, { preset, currency: 'JPY' });
    expect(products.map(({ sku, status }) => [sku, status])).to.deep.equal([['BAG-1', 'draft']]);
    const { products: priced } = await readProducts(text, { preset, currency: 'USD' });
    expect(priced.map(({ name, stock, status }) => [name, stock, status])).to.deep.equal([
      ['Cap - Navy', undefined, 'active'],
      ['Cap - Sand', undefined, 'active'],
      ['Bag', undefined, 'draft'],
    ]);
  });
});
