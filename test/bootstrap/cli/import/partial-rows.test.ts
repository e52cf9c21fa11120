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
  it('is rejected with the place of its first bad item', async () => {
    const { rejected } = await readProducts(
      'sku,image_urls\nA,"https://example.com/1.jpg, http://example.com/2.jpg"\n',
    );
    expect(rejected[0]).to.match(/^2: image_urls\.1 must be an https URL/);
  });
});

describe('Columns of metadata', () => {
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
    expect(await reasonOf('{"size":7}')).to.equal('2: metadata.size must be a string');
    const long = await readProducts(`sku,metadata.size\nA,${'x'.repeat(501)}\n`);
    expect(long.rejected).to.deep.equal(['2: metadata.size must have at most 500 characters']);
  });
});
