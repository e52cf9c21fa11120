import { expect } from 'chai';
import { wholeProduct } from '#adapters/http/v1/products.ts';
import {
  columnNamed,
  columns,
  exportColumns,
  metadataColumn,
  normalName,
} from '#adapters/product-files/columns.ts';
import { statuses } from '#adapters/product-files/composite-cells.ts';
import { emptiedText, emptiedWords } from '#adapters/product-files/emptied.ts';
import { maxListed } from '#adapters/product-files/preset.ts';
import { soldFields } from '#domain/emptied-fields.ts';
import { Metadata } from '#domain/metadata.ts';
import { Product, productStatuses } from '#domain/product.ts';

describe('The columns of a file of products', () => {
  it('are the fields of a product, with one column for each part of the price', () => {
    const fields = Object.keys(wholeProduct.schema.properties ?? {});
    const expected = fields.flatMap((field) =>
      field === 'price' ? ['price_amount', 'price_currency'] : field,
    );
    expect(exportColumns).to.have.members(expected);
    expect(exportColumns.slice(0, 5).join()).to.equal('sku,name,price_amount,price_currency,description');
    expect(columns.map(({ name }) => name).filter((name) => !exportColumns.includes(name))).to.deep.equal([
      'price',
    ]);
  });

  it('know the limits of the domain, which a browser does not have', () => {
    expect(maxListed).to.deep.equal({ tags: Product.maxTags, images: Product.maxImageUrls });
    expect(statuses).to.deep.equal(productStatuses);
    for (const name of ['a', 'a.B-c_9', '', 'a b', '__proto__', 'constructor', 'x'.repeat(41)])
      expect(columnNamed(`metadata.${name}`) !== undefined, name).to.equal(
        Metadata.name.violation(name) === undefined,
      );
    expect(Object.keys(emptiedWords)).to.have.lengthOf(soldFields.length);
  });

  it('have one name however a header writes it', () => {
    for (const [header, name] of [
      [' Price-Amount ', 'price_amount'],
      ['Währung', 'wahrung'],
      ['Body (HTML)', 'body_html'],
      ['Größe', 'grosse'],
      ['Metadata.Size_EU', 'metadata.Size_EU'],
      ['№', 'no'],
      ['%', '%'],
      ['', ''],
    ] as const)
      expect(normalName(header), header).to.equal(name);
    expect([columnNamed('currency'), columnNamed('tags'), columnNamed('tag')]).to.deep.equal([
      ...['price_currency', 'tags', undefined],
    ]);
    expect([metadataColumn('Shelf no.'), metadataColumn('Metadata.colour')]).to.deep.equal([
      ...['metadata.Shelf_no.', 'metadata.colour'],
    ]);
  });
});

describe('The count of emptied fields', () => {
  it('names those that there are', () => {
    expect(emptiedText((field) => ({ stock: 3, quantity_step: 0, tax_rate: 1 })[field])).to.equal(
      'stock no longer counted: 3, no tax shown: 1',
    );
    expect(emptiedText(() => 0)).to.equal('');
  });
});
