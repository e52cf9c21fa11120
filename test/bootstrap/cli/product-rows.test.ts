import { expect } from 'chai';
import { exportColumns } from '#adapters/product-files/columns.ts';
import { UsageError } from '#bootstrap/cli/framework/exit-codes.ts';
import { formatOf, productRows } from '#bootstrap/cli/import/product-rows.ts';

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const errorOf = async (header: string): Promise<string> => {
  try {
    for await (const _ of productRows(bytes(header), 'csv')) break;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return '';
};

describe('The columns of a file of products', () => {
  it('are the fields of a product, with one column for each part of the price', () => {
    expect(exportColumns).to.deep.equal([
      ...['sku', 'name', 'price_amount', 'price_currency', 'description', 'status', 'stock'],
      ...['quantity_step', 'image_urls', 'tags', 'tax_rate', 'metadata'],
    ]);
  });

  const invalidHeaders: readonly (readonly [string, RegExp])[] = [
    [
      'sku,nmae,price_amount,price_currency',
      /^The header has an unknown column "nmae"\. .* Did you mean name\?$/,
    ],
    [
      'sku,name,price',
      /^The header lacks the required column price_currency\. Without a column for the currency, add --currency EUR/,
    ],
    [
      'name,price_amount,price_currency',
      /^The header lacks the required column sku\. If the file has another name for it, use --map "THAT NAME=sku"\.$/,
    ],
    ['sku,sku,name,price_amount,price_currency', /^The header has the column sku twice\.$/],
    ['sku,na"me', /^The header line has a quote inside an unquoted cell/],
    ['', /^The file is empty\. Its first line must name the columns\.$/],
  ];
  it('are rejected where one is unknown, missing or there twice', async () => {
    for (const [header, expected] of invalidHeaders) {
      expect(await errorOf(header), header).to.match(expected);
    }
  });

  it('can be the sku and what changes', async () => {
    for (const [text, value] of [
      ['sku,stock\nA,1.5\n', { sku: 'A', stock: 1500 }],
      ['sku,price_amount\nA,1290\n', { sku: 'A', price: { amount: 1290 } }],
      ['sku,price,currency\nA,12.90,EUR\n', { sku: 'A', price: { amount: 1290, currency: 'EUR' } }],
    ] as const) {
      for await (const { content } of productRows(bytes(text), 'csv'))
        expect(content).to.deep.equal({ value });
    }
  });

  it('can have any order, and spaces around them', async () => {
    const text = ' price_currency ,sku,price_amount,name\nEUR,A,1,Tea\n';
    for await (const { line, content } of productRows(bytes(text), 'csv')) {
      const value = { sku: 'A', name: 'Tea', price: { amount: 1, currency: 'EUR' } };
      expect([line, content]).to.deep.equal([2, { value }]);
    }
  });
});

describe('The format of a file of products', () => {
  it('follows from the name', () => {
    const formats = ['a.csv', 'A.CSV', 'a.jsonl', 'a.json', '-', 'csv', 'a.tsv'].map(formatOf);
    expect(formats).to.deep.equal(['csv', 'csv', 'jsonl', 'jsonl', 'jsonl', 'jsonl', 'csv']);
  });
});
