import { expect } from 'chai';
import {
  chooseColumn,
  guessColumns,
  isShortDescription,
  isStockCount,
} from '#adapters/product-files/guess-columns.ts';

const guess = (header: string) => guessColumns(header.split(';')).map((column) => column ?? '-');

describe('The guess of columns', () => {
  it('finds the article number under what suppliers call it', () => {
    for (const header of [
      ...['Article', 'Article number', 'Article no.', 'Item no', 'Item', 'Artikel', 'Artikelnummer'],
      ...['Artikel-Nr.', 'Art.-Nr.', 'ArtNr', 'Référence', 'SKU', 'Code'],
    ])
      expect(guess(`${header};Price`), header).to.deep.equal(['sku', 'price']);
  });

  const headers: readonly (readonly [string, readonly string[]])[] = [
    ['Article;Article number;Price', ['name', 'sku', 'price']],
    ['Artikel;Art.-Nr.', ['name', 'sku']],
    ['Artikel;Bezeichnung', ['sku', 'name']],
    ['SKU;Name;Article', ['sku', 'name', '-']],
    ['Article;Description;Price;Remark', ['sku', 'name', 'price', '-']],
    ['Art.-Nr.;Beschreibung', ['sku', 'name']],
    ['SKU;Title;Description', ['sku', 'name', 'description']],
    ['SKU;Body (HTML);Description', ['sku', 'description', 'name']],
    ['SKU;Body (HTML)', ['sku', 'description']],
    ['SKU;quantity_step', ['sku', 'quantity_step']],
    ['SKU;Step;Verpackungseinheit', ['sku', '-', '-']],
    ['Titel;Name', ['-', 'name']],
    ['Preis;price_amount;Währung;', ['-', 'price_amount', 'price_currency', '-']],
    ['sku;metadata.colour;Metadata.Size', ['sku', 'metadata.colour', 'metadata.Size']],
  ];
  it('takes a column for what no other one holds, and each field from one column', () => {
    for (const [header, columns] of headers) expect(guess(header), header).to.deep.equal(columns);
  });

  it('knows which headers can only mean a stock, and which a name', () => {
    for (const name of ['Stock', 'Inventory', 'Bestand', 'Variant Inventory Qty'])
      expect(isStockCount(name), name).to.equal(true);
    for (const name of ['Quantity', 'Qty', 'Menge', 'Anzahl', 'Quantité', 'Price', 'Received'])
      expect(isStockCount(name), name).to.equal(false);
    expect([isShortDescription('Beschreibung'), isShortDescription('Name')]).to.deep.equal([true, false]);
  });
});

describe('The choice of a column', () => {
  it('takes it from the header that had it before, and one price from the other', () => {
    const chosen = ['sku', 'name', 'price', 'metadata.a'];
    expect(chooseColumn(chosen, 0, 'name')).to.deep.equal(['name', undefined, 'price', 'metadata.a']);
    expect(chooseColumn(chosen, 1, 'price_amount')).to.deep.equal([
      'sku',
      'price_amount',
      undefined,
      'metadata.a',
    ]);
    expect(chooseColumn(chosen, 0, 'metadata.b')).to.deep.equal([
      'metadata.b',
      'name',
      'price',
      'metadata.a',
    ]);
    expect(chooseColumn(chosen, 2, undefined)).to.deep.equal(['sku', 'name', undefined, 'metadata.a']);
  });
});
