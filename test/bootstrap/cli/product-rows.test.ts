import { expect } from 'chai';
import { UsageError } from '#bootstrap/cli/framework/exit-codes.ts';
import { formatOf, productColumns, productRows } from '#bootstrap/cli/import/product-rows.ts';

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const refusal = async (header: string): Promise<string> => {
  try {
    for await (const _ of productRows(bytes(header), 'csv')) break;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return '';
};

describe('The columns of a file of products', () => {
  it('are the fields of a product, those of its price by themselves', () => {
    expect(productColumns.map(({ name }) => name)).to.deep.equal([
      ...['sku', 'name', 'price_amount', 'price_currency', 'description', 'status', 'stock'],
    ]);
  });

  const answers: readonly (readonly [string, RegExp])[] = [
    ['sku,nmae,price_amount,price_currency', /^The file has a column "nmae", .* Did you mean name\?$/],
    ['sku,name,price_amount', /^The file lacks the column price_currency\.$/],
    ['name,price_amount,price_currency', /^The file lacks the column sku\.$/],
    ['sku,sku,name,price_amount,price_currency', /^The file has the column sku twice\.$/],
    ['sku,na"me', /^The first line, which names the columns, has a quote in the middle of a cell/],
    ['', /^The file is empty: its first line has to name the columns\.$/],
  ];
  for (const [header, expected] of answers) {
    it(`are not ${JSON.stringify(header)}`, async () => {
      expect(await refusal(header)).to.match(expected);
    });
  }

  it('may stand in any order, with spaces around them', async () => {
    const text = ' price_currency ,sku,price_amount,name\nEUR,A,1,Tea\n';
    for await (const { line, content } of productRows(bytes(text), 'csv')) {
      const value = { sku: 'A', name: 'Tea', price: { amount: 1, currency: 'EUR' } };
      expect([line, content]).to.deep.equal([2, { value }]);
    }
  });
});

describe('A file of products', () => {
  it('is what its name says', () => {
    const formats = ['a.csv', 'A.CSV', 'a.jsonl', 'a.json', '-', 'csv'].map(formatOf);
    expect(formats).to.deep.equal(['csv', 'csv', 'jsonl', 'jsonl', 'jsonl', 'jsonl']);
  });
});
