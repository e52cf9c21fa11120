import { expect } from 'chai';

type Columns = Readonly<{
  guessFields: (header: readonly string[]) => readonly (string | undefined)[];
  stockUseOf: (header: readonly string[], chosen: readonly (string | undefined)[]) => string | undefined;
}>;

/** A module of the page, which has no types. */
const module = new URL('../../adapters/ops/admin/browser/views/import/columns.js', import.meta.url);

describe('Columns of files on the admin page', () => {
  let columns: Columns;
  const guess = (header: string) => columns.guessFields(header.split(';')).map((field) => field ?? '-');

  before(async () => {
    columns = await import(module.href);
  });

  it('hold the article number under what suppliers call it', () => {
    for (const header of [
      ...['Article', 'Article number', 'Article no.', 'Item no', 'Item', 'Artikel', 'Artikelnummer'],
      ...['Artikel-Nr.', 'Art.-Nr.', 'ArtNr', 'Référence', 'SKU', 'Code'],
    ])
      expect(guess(`${header};Price`), header).to.deep.equal(['sku', 'price']);
  });

  it('called “Article” hold the name when another one holds the number', () => {
    expect(guess('Article;Article number;Price')).to.deep.equal(['name', 'sku', 'price']);
    expect(guess('Artikel;Art.-Nr.')).to.deep.equal(['name', 'sku']);
    expect(guess('Artikel;Bezeichnung')).to.deep.equal(['sku', 'name']);
    expect(guess('SKU;Name;Article')).to.deep.equal(['sku', 'name', '-']);
  });

  it('called “Description” hold the name when no other one does', () => {
    expect(guess('Article;Description;Price;Remark')).to.deep.equal(['sku', 'name', 'price', '-']);
    expect(guess('Art.-Nr.;Beschreibung')).to.deep.equal(['sku', 'name']);
    expect(guess('SKU;Title;Description')).to.deep.equal(['sku', 'name', 'description']);
    expect(guess('SKU;Body (HTML);Description')).to.deep.equal(['sku', 'description', 'name']);
    expect(guess('SKU;Body (HTML)')).to.deep.equal(['sku', 'description']);
  });

  it('hold the step of ordered quantities only under its own name, because it limits what customers can order', () => {
    expect(guess('SKU;quantity_step')).to.deep.equal(['sku', 'quantity_step']);
    expect(guess('SKU;Step;Verpackungseinheit')).to.deep.equal(['sku', '-', '-']);
  });

  it('for the stock replace it only when their headers can mean nothing else', () => {
    const use = (name: string) => columns.stockUseOf(['SKU', name], columns.guessFields(['SKU', name]));
    for (const name of ['Stock', 'Inventory', 'Bestand', 'Variant Inventory Qty'])
      expect(use(name), name).to.equal('replace');
    for (const name of ['Quantity', 'Qty', 'Menge', 'Anzahl', 'Quantité', 'Price'])
      expect(use(name), name).to.equal(undefined);
    expect(columns.stockUseOf(['SKU', 'Received'], ['sku', 'stock'])).to.equal(undefined);
  });
});
