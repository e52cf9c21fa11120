import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { presets } from '#adapters/product-files/presets.ts';
import { UsageError } from '#bootstrap/cli/framework/exit-codes.ts';
import { productRows } from '#bootstrap/cli/import/product-rows.ts';
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
      tags: ['enamel', 'gas'],
      imageUrls: ['https://shop.example/wp-content/uploads/kettle.jpg'],
    });
    const brief = others.map(({ sku, name, price, status, stock }) => [
      ...[sku, name, price?.amount, status, stock],
    ]);
    expect(brief).to.deep.equal([
      ['APRON-RUST-S', 'Apron - Rust, S', 4950, 'active', 7000],
      ['APRON-RUST-M', 'Apron - Rust, M', 4950, 'active', 0],
      ['PATTERN-1', 'Apron pattern (PDF)', 600, 'draft', null],
      ['CUP-1', '+Cup Twin', 1100, 'active', 0],
    ]);
    expect(others.map(({ description }) => description)).to.deep.equal([null, null, 'Prints on A4.', null]);
    const ofApron = ['https://shop.example/wp-content/uploads/apron.jpg'];
    expect(others.map(({ imageUrls }) => imageUrls)).to.deep.equal([ofApron, ofApron, [], []]);
  });

  it('has tags and images, and those of a variable product for its variations', async () => {
    const text =
      'ID,Type,SKU,Name,Regular price,Tags,Images,Parent\n' +
      '7,variable,,Shirt,,"Été 2026, Linen, linen","https://example.com/a\\,b.jpg, https://example.com/2.jpg",\n' +
      '8,variation,S,Shirt - S,9,,,id:7\n9,variation,M,Shirt - M,9,sale,https://example.com/m.jpg,id:7\n';
    const { products } = await readProducts(text, { preset, currency: 'EUR' });
    expect(products.map(({ tags, imageUrls }) => [tags, imageUrls])).to.deep.equal([
      [
        ['ete-2026', 'linen'],
        ['https://example.com/a,b.jpg', 'https://example.com/2.jpg'],
      ],
      [['sale'], ['https://example.com/m.jpg']],
    ]);
    const many = Array.from({ length: 30 }, (_, index) => index);
    const cells = [
      many.map((index) => `Tag ${index}`),
      many.map((index) => `https://example.com/${index}.jpg`),
    ];
    const row = cells.map((list) => `"${list.join(', ')}"`).join();
    const full = await readProducts(`SKU,Tags,Images\nA,${row}\nB,,http://example.com/1.jpg\n`, { preset });
    expect(full.products.map(({ tags, imageUrls }) => [tags?.length, imageUrls?.length])).to.deep.equal([
      [20, 10],
    ]);
    expect(full.rejected).to.deep.equal([
      '3: Images.0 must be an https URL, such as https://example.com/tea.jpg',
    ]);
  });

  it('may have the columns alone that change', async () => {
    const { products, rejected } = await readProducts('SKU,Stock\nA,5\nB,\n', { preset });
    expect([products, rejected]).to.deep.equal([
      [
        { sku: 'A', stock: 5000 },
        { sku: 'B', stock: null },
      ],
      [],
    ]);
  });

  it('has rows that are no products, and columns without a field', async () => {
    const { skipped, ignored } = await read();
    expect(skipped).to.deep.equal([
      '3: a variable product has no price of its own; its variations are imported',
      '8: a grouped product has no price of its own; its members are imported',
      '9: an external product is sold on another site',
    ]);
    expect(ignored).to.have.lengthOf(36);
    expect(ignored).to.include.members(['GTIN, UPC, EAN, or ISBN', 'Meta: _wp_page_template']);
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
    expect(reduced.products.map(({ price }) => price)).to.deep.equal([euros(900), undefined]);
  });

  it('converts prices by the currency', async () => {
    const text = 'SKU,Name,Regular price\nA,Tea,1250\nB,Mate,"1,250"\n';
    const amounts = async (currency: string) =>
      (await readProducts(text, { preset, currency })).products.map(({ price }) => price?.amount);
    expect(await amounts('KWD')).to.deep.equal([1_250_000, 1250]);
    expect(await amounts('EUR')).to.deep.equal([125_000, 125]);
    expect(await amounts('JPY')).to.deep.equal([1250]);
  });

  it('needs a currency and the column of the SKU', async () => {
    const messageOf = (text: string, currency?: string) =>
      readProducts(text, { preset, currency }).then(
        () => '',
        (error: unknown) => (error instanceof UsageError ? error.message : `${error}`),
      );
    expect(await messageOf('SKU,Name,Regular price\n')).to.equal(
      'The export of WooCommerce names no currency. Add --currency EUR, for example.',
    );
    expect(await messageOf('ID,Name,Categories\n', 'EUR')).to.match(
      /^The header lacks the required column sku of WooCommerce\. If the file has another name for it, use --map/,
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
      tags: ['linen', 'summer'],
      imageUrls: ['sand', 1, 2, 3, 4].map((name) => `https://cdn.shopify.example/s/files/linen-${name}.jpg`),
    });
    expect(
      others.map(({ sku, name, price, status, stock }) => [sku, name, price?.amount, status, stock]),
    ).to.deep.equal([
      ['LIN-M-SAND', 'Linen Shirt - M / Sand', 8900, 'active', 0],
      ['LIN-M-RUST', 'Linen Shirt - M / Rust', 9550, 'active', null],
      ['00123', 'Mug "Dune"', 1490, 'active', 25_000],
      ['MUG-12', 'Mug (box of 12)', 15_000, 'draft', 3000],
      ['SCARF-1', 'Scarf', 4500, 'archived', 0],
    ]);
    expect(others[0]?.description).to.equal(first?.description);
    expect(others[2]?.description).to.equal(null);
    expect(others[1]).to.deep.include({
      tags: ['linen', 'summer'],
      imageUrls: [1, 2, 3, 4].map((name) => `https://cdn.shopify.example/s/files/linen-${name}.jpg`),
    });
    expect(others[3]).to.deep.include({ tags: [], imageUrls: [] });
  });

  it('has rows that are no products, and one that a person must complete', async () => {
    const { skipped, rejected, ignored } = await read();
    expect(skipped).to.deep.equal([
      '6: the row has a further image of the product above it',
      '10: a gift card is not a product',
    ]);
    expect(rejected).to.deep.equal(['11: Variant SKU is required: an import identifies products by it']);
    expect(ignored).to.include.members(['Vendor', 'Variant Compare At Price', 'Variant Taxable']);
  });

  it('may have the columns alone that change, and rows of one product that are far from another', async () => {
    const { products } = await readProducts('Handle,Variant SKU,Variant Price\na,A,5\na,B,\nb,C,7\n', {
      ...{ preset, currency: 'EUR' },
    });
    expect(products).to.deep.equal([
      { sku: 'A', price: euros(500) },
      { sku: 'B' },
      { sku: 'C', price: euros(700) },
    ]);
  });

  it('may be broken behind a product, which is read', async () => {
    const text = 'Handle,Title,Variant SKU,Variant Price,Image Src\na,A,A,5,https://example.com/1.jpg\n';
    const rows = `${text}a,,,,https://example.com/2.jpg\nb,"B" x,B,1,\n`;
    const read: unknown[] = [];
    const broken = await (async () => {
      async function* chunks() {
        yield Buffer.from(rows);
      }
      for await (const { content } of productRows(chunks(), 'csv', { preset, currency: 'EUR' }))
        read.push(content);
    })().catch(String);
    expect(broken).to.match(/line 4 has a quote inside a quoted cell/);
    expect(read).to.have.lengthOf(2);
    expect(read[0]).to.have.nested.property('value.imageUrls').with.lengthOf(2);
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

describe('The export of another shop', () => {
  const text = 'SKU,quantity_step,Parts\nA,0.5,2\nB,,3\n';

  for (const preset of [presets.woocommerce, presets.shopify])
    it(`says nothing of steps, so that ${preset.title} adds products that are sold by the piece`, async () => {
      const { products, defaults } = await readProducts('SKU,Stock\nA,5\n', { preset });
      expect(products[0]).not.to.have.property('quantityStep');
      expect(defaults).to.deep.equal([{ quantityStep: 1000 }]);
    });

  it('can have a column for the step beside it, in which an empty cell allows any quantity', async () => {
    const preset = presets.woocommerce;
    const { products } = await readProducts(text, { preset });
    expect(products.map(({ quantityStep }) => quantityStep)).to.deep.equal([500, null]);
    const renames = [{ from: 'Parts', to: 'quantity_step' }];
    const mapped = await readProducts(text.replace('quantity_step,', 'x,'), { preset, renames });
    expect(mapped.products.map(({ quantityStep }) => quantityStep)).to.deep.equal([2000, 3000]);
  });

  it('gives the step only to products that it adds', async () => {
    const { defaults } = await readProducts('sku,name,price_amount,price_currency\nA,Tea,1,EUR\n');
    expect(defaults).to.deep.equal([undefined]);
  });
});
