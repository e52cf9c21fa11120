import { expect } from 'chai';
import fc from 'fast-check';
import { Product, type ProductDetails } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { TaxRate } from '#domain/tax.ts';
import { aProduct, later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const counted = (stock: number): Product => aProduct({ stock: Quantity.of(stock) });

describe('A product', () => {
  it('is created with its details', () => {
    const details: ProductDetails = {
      ...Product.defaults,
      name: 'Tea',
      price: { amount: 450, currency: 'EUR' },
      description: 'Mild',
      sku: 'T-1',
      status: 'draft',
      stock: Quantity.of(2.5),
      quantityStep: Quantity.of(0.25),
      imageUrls: ['https://example.com/1.jpg'],
      tags: ['green', 'loose-leaf'],
      taxRate: TaxRate.of(10),
      metadata: { origin: 'Uji' },
    };
    const { id } = aProduct();
    expect(Product.create(id, details, noon)).to.deep.equal({
      id,
      version: 1,
      createdAt: noon,
      updatedAt: noon,
      ...details,
    });
  });

  it('changes the given fields only', () => {
    const product = aProduct({ name: 'Tea', sku: 'T-1' });
    expect(Product.change(product, { name: 'Green tea' }, later(1))).to.deep.equal({
      ...product,
      name: 'Green tea',
      version: 2,
      updatedAt: later(1),
    });
  });

  const broken: readonly (readonly [string, Partial<ProductDetails>])[] = [
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['description', { description: 'x'.repeat(5001) }],
    ['sku', { sku: '' }],
    ['sku', { sku: 'x'.repeat(65) }],
    ['name', { name: 'Tea\u200b' }],
    ['name', { name: '\u3000' }],
    ['sku', { sku: '\ufeffTEA-1' }],
    ['imageUrls', { imageUrls: ['http://example.com/1.jpg'] }],
    ['imageUrls', { imageUrls: Array(11).fill('https://example.com/1.jpg') }],
    ['tags', { tags: ['green', 'Loose'] }],
    ['tags', { tags: ['green', 'green'] }],
    ['tags', { tags: Array.from({ length: 21 }, (_, index) => `tag-${index}`) }],
    ['metadata', { metadata: { origin: 'x'.repeat(501) } }],
  ];
  for (const [field, details] of broken) {
    const length = JSON.stringify(Object.values(details)).length - 4;
    it(`is rejected with a ${field} of ${length} characters, new or changed`, () => {
      const expected = { kind: 'validation', fields: [field] };
      expect(domainErrorOf(() => aProduct(details))).to.deep.equal(expected);
      expect(domainErrorOf(() => Product.change(aProduct(), details, noon))).to.deep.equal(expected);
    });
  }

  it('keeps its SKU in NFC', () => {
    expect(aProduct({ sku: 'cafe\u0301' }).sku).to.equal('café');
    expect(Product.change(aProduct(), { sku: 'cafe\u0301' }, noon).sku).to.equal('café');
  });

  it('accepts a name and an SKU from before the rule, but no change to another such', () => {
    const before = { ...aProduct(), name: ' Tea', sku: 'the\u0301\u200b' };
    const { name, sku } = before;
    expect(Product.change(before, { name, sku, description: 'Mild' }, later(1))).to.include({ name, sku });
    const error = domainErrorOf(() => Product.change(before, { name: ' Teas', sku: 'the\u0301 ' }, noon));
    expect(error).to.deep.equal({ kind: 'validation', fields: ['name', 'sku'] });
  });

  it('accepts lists from before the rule that are sent back, but no change to them', () => {
    const before = { ...aProduct(), imageUrls: ['http://example.com/1.jpg'], tags: ['Old'] };
    const { imageUrls, tags } = structuredClone(before);
    const after = Product.change(before, { imageUrls, tags, name: 'Green tea' }, later(1));
    expect(after).to.deep.include({ imageUrls, tags, name: 'Green tea' });
    const error = domainErrorOf(() => Product.change(before, { tags: ['Old', 'new'] }, noon));
    expect(error).to.deep.equal({ kind: 'validation', fields: ['tags'] });
  });

  it('accepts texts of the maximum length', () => {
    const details = { name: 'x'.repeat(200), description: '', sku: 'x'.repeat(64) };
    expect(aProduct(details)).to.include(details);
    expect(aProduct({ description: 'x'.repeat(5000) }).description).to.have.lengthOf(5000);
  });

  describe('with counted stock', () => {
    it('has less in stock after a reservation, down to 0', () => {
      expect(Product.reserve(counted(2.5), Quantity.of(0.5), later(1))).to.include({
        stock: Quantity.of(2),
        version: 2,
        updatedAt: later(1),
      });
      expect(Product.reserve(counted(2), Quantity.of(2), noon).stock).to.equal(Quantity.zero);
    });

    it('is out of stock when less is left', () => {
      const error = domainErrorOf(() => Product.reserve(counted(2), Quantity.of(2.001), noon));
      expect(error.kind).to.equal('out-of-stock');
    });

    it('has its former stock after a release', () => {
      const quantities = fc.integer({ min: 0, max: 1_000_000_000 });
      fc.assert(
        fc.property(quantities, quantities, (one, other) => {
          const [less, more] = one < other ? [one, other] : [other, one];
          const product = counted(more / 1000);
          const taken = Product.reserve(product, Quantity.of(less / 1000), noon);
          expect(Product.release(taken, Quantity.of(less / 1000), noon).stock).to.equal(product.stock);
        }),
      );
    });
  });

  describe('with a step for ordered quantities', () => {
    const stepped = (step: number | null, details: Partial<Product> = {}): Product =>
      aProduct({ quantityStep: step === null ? null : Quantity.of(step), ...details });
    const rejection = (product: Product, quantity: number) =>
      Product.quantityViolation(product, Quantity.of(quantity));

    it('is ordered in whole multiples of it', () => {
      expect([2, 1.5, 0.001].map((quantity) => rejection(stepped(1), quantity))).to.deep.equal([
        ...[undefined, 'must be a multiple of 1', 'must be a multiple of 1'],
      ]);
      expect([0.75, 0.3].map((quantity) => rejection(stepped(0.25), quantity))).to.deep.equal([
        ...[undefined, 'must be a multiple of 0.25'],
      ]);
      expect(rejection(stepped(null), 0.001)).to.equal(undefined);
    });

    it('is reserved only in multiples, which is checked after its status and before its stock', () => {
      const reserve = (product: Product, quantity: number) =>
        domainErrorOf(() => Product.reserve(product, Quantity.of(quantity), noon));
      const stock = Quantity.of(1);
      expect(reserve(stepped(1, { stock }), 1.5)).to.deep.equal({ kind: 'validation', fields: ['quantity'] });
      expect(reserve(stepped(1, { stock, status: 'draft' }), 1.5).kind).to.equal('product-unavailable');
      expect(reserve(stepped(1, { stock }), 2).kind).to.equal('out-of-stock');
    });

    it('reserves a part of a quantity that is a multiple as a whole', () => {
      const product = stepped(1, { stock: Quantity.of(2.5) });
      expect(Product.reserve(product, Quantity.of(0.5), noon, Quantity.of(2)).stock).to.equal(Quantity.of(2));
      const rest = () => Product.reserve(product, Quantity.of(1), noon, Quantity.of(2.5));
      expect(domainErrorOf(rest).kind).to.equal('validation');
    });

    it('has any stock, and is released in any quantity', () => {
      const product = stepped(1, { stock: Quantity.of(0.5) });
      expect(Product.release(product, Quantity.of(1.5), noon).stock).to.equal(Quantity.of(2));
      expect(Product.adjustStock(product, Quantity.of(0.001), noon).stock).to.equal(Quantity.of(0.501));
    });
  });

  it('never exceeds the maximum stock after a release', () => {
    const taken = Product.reserve(aProduct({ stock: Quantity.of(1_000_000) }), Quantity.of(1_000_000), noon);
    const counted = Product.change(taken, { stock: Quantity.of(999_999) }, noon);
    expect(Product.release(counted, Quantity.of(1_000_000), noon).stock).to.equal(Quantity.of(1_000_000));
  });

  describe('without counted stock', () => {
    it('never runs out, and is unchanged', () => {
      const product = aProduct({ stock: null });
      expect(Product.reserve(product, Quantity.of(1_000_000), noon)).to.equal(product);
    });

    it('is unchanged by a release', () => {
      const product = aProduct({ stock: null });
      expect(Product.release(product, Quantity.of(1), noon)).to.equal(product);
    });
  });

  for (const status of ['draft', 'archived'] as const) {
    it(`cannot be ordered while it is ${status}, counted or not`, () => {
      for (const stock of [null, Quantity.of(5)]) {
        const error = domainErrorOf(() => Product.reserve(aProduct({ status, stock }), Quantity.of(1), noon));
        expect(error.kind).to.equal('product-unavailable');
      }
    });

    it(`accepts a release after it was ${status}`, () => {
      const product = aProduct({ status, stock: Quantity.zero });
      expect(Product.release(product, Quantity.of(1), noon).stock).to.equal(Quantity.of(1));
    });
  }
});
