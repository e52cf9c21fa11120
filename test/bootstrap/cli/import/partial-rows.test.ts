import { expect } from 'chai';
import { readProducts } from './rows.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });

describe('A file of what changes', () => {
  it('needs the column sku alone', async () => {
    const { products, rejected } = await readProducts('sku,stock\nA,5\nB,0\n');
    expect(products).to.deep.equal([
      { sku: 'A', stock: 5000 },
      { sku: 'B', stock: 0 },
    ]);
    expect(rejected).to.deep.equal([]);
    const lines = '{"sku":"A","price":{"amount":5}}\n{"sku":"B","metadata":{"colour":null}}\n';
    expect((await readProducts(lines, {}, 'jsonl')).products).to.deep.equal([
      { sku: 'A', price: { amount: 5 } },
      { sku: 'B', metadata: { colour: null } },
    ]);
  });

  it('leaves a price alone whose cell is empty, with its currency', async () => {
    const { products } = await readProducts('sku,price,currency\nA,,USD\nB,2,\n', { currency: 'EUR' });
    expect(products).to.deep.equal([{ sku: 'A' }, { sku: 'B', price: euros(200) }]);
    const minor = await readProducts('sku,price_amount\nA,\nB,200\n', { currency: 'EUR' });
    expect(minor.products).to.deep.equal([{ sku: 'A' }, { sku: 'B', price: euros(200) }]);
    const amounts = await readProducts('sku,price_amount\nB,200\n');
    expect(amounts.products).to.deep.equal([{ sku: 'B', price: { amount: 200 } }]);
  });

  it('gives no product the currency of the command line when it has no prices', async () => {
    const { products } = await readProducts('sku,stock\nA,5\n', { currency: 'EUR' });
    expect(products).to.deep.equal([{ sku: 'A', stock: 5000 }]);
  });
});

describe('The cell of a list', () => {
  const listsOf = async (column: string, cell: string): Promise<unknown> => {
    const { products, rejected } = await readProducts(`sku,${column}\nA,"${cell}"\n`);
    return rejected[0] ?? products[0]?.imageUrls ?? products[0]?.tags;
  };

  it('is split at commas, and empty it clears the list', async () => {
    expect(await listsOf('tags', 'linen, Summer ,,sale')).to.deep.equal(['linen', 'summer', 'sale']);
    expect(await listsOf('tags', ' ')).to.deep.equal([]);
    expect(await listsOf('tags', 'linen, summer sale')).to.equal(
      '2: tags.1 must have 1 to 40 of the letters a to z, digits and hyphens',
    );
    expect(await listsOf('tags', 'a,b,a')).to.equal('2: tags.2 must not be there twice');
  });

  it('of URLs is split where the next URL begins, so that a URL may have commas', async () => {
    const [one, two] = ['https://example.com/w_100,h_100/a,b.jpg', 'https://example.com/2.jpg?x=1,2'];
    for (const separator of [', ', ',', ' ', '\n', ' , ', ',\r\n'])
      expect(await listsOf('image_urls', `${one}${separator}${two}`), separator).to.deep.equal([one, two]);
    expect(await listsOf('image_urls', `${one},`)).to.deep.equal([one]);
    expect(await listsOf('image_urls', 'https://example.com/?u=x\\,https://example.com/')).to.deep.equal([
      'https://example.com/?u=x,https://example.com/',
    ]);
    expect(await listsOf('image_urls', '')).to.deep.equal([]);
    expect(await listsOf('image_urls', `${one}, 2.jpg`)).to.match(/^2: image_urls\.0 must be an https URL/);
    expect(await listsOf('image_urls', `${one}, http://example.com/2.jpg`)).to.match(
      /^2: image_urls\.1 must be an/,
    );
    expect(await listsOf('image_urls', '2.jpg')).to.match(/^2: image_urls\.0 must be an https URL/);
  });
});

describe('Columns of metadata', () => {
  it('hold a text each, and an empty cell removes it', async () => {
    const { products } = await readProducts('sku,metadata.colour,Metadata.Size_EU\nA,red,\nB, ,"=1"\n');
    expect(products.map(({ metadata }) => metadata)).to.deep.equal([
      { colour: 'red', Size_EU: null },
      { colour: ' ', Size_EU: '=1' },
    ]);
  });

  it('stand beside a JSON object, which an export writes', async () => {
    const { products } = await readProducts(
      'sku,metadata,metadata.size\nA,"{""colour"":""red"",""size"":""S""}",M\nB,,L\n',
    );
    expect(products.map(({ metadata }) => metadata)).to.deep.equal([
      { colour: 'red', size: 'M' },
      { size: 'L' },
    ]);
  });

  it('may be mapped to, and must have a name that can be stored', async () => {
    const renames = [{ from: 'Farbe', to: 'metadata.colour' }];
    const { products } = await readProducts('sku,Farbe\nA,rot\n', { renames });
    expect(products[0]?.metadata).to.deep.equal({ colour: 'rot' });
    const message = await readProducts('sku,metadata.a b,metadata.__proto__,metadata.\nA,x,y,z\n').catch(
      String,
    );
    expect(message).to.match(
      /The header has 3 unknown columns: "metadata.a b", "metadata.__proto__", "metadata."/,
    );
  });

  it('that are no texts are rejected by their name', async () => {
    const reasonOf = async (cell: string) =>
      (await readProducts(`sku,metadata\nA,"${cell.replaceAll('"', '""')}"\n`)).rejected[0];
    for (const cell of ['red', '[]', '{"a":', '"a"', '{"a":"1","a":"2"}'])
      expect(await reasonOf(cell), cell).to.equal(
        '2: metadata must be a JSON object, such as {"colour":"blue"}',
      );
    expect(await reasonOf('{"size":7}')).to.equal('2: metadata.size must be a string');
    const long = await readProducts(`sku,metadata.size\nA,${'x'.repeat(501)}\n`);
    expect(long.rejected).to.deep.equal(['2: metadata.size must have at most 500 characters']);
  });
});
