import { expect } from 'chai';
import { UsageError } from '#bootstrap/cli/framework/exit-codes.ts';
import type { Format, RowOptions } from '#bootstrap/cli/import/product-rows.ts';
import { readProducts } from './rows.ts';

const header = 'sku,name,price_amount,price_currency';
const tea = { sku: 'A', name: 'Tea', price: { amount: 1290, currency: 'EUR' } };

/** The message that a header is rejected with. */
const messageOf = async (
  file: string | Uint8Array,
  options?: RowOptions,
  format?: Format,
): Promise<string> => {
  try {
    await readProducts(file, options, format);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return '';
};

describe('What spreadsheets leave in a file of products', () => {
  const files: readonly (readonly [string, string])[] = [
    ['rows of empty cells', `${header}\n,,,\nA,Tea,1290,EUR\n,,,\n , ,,\n`],
    ['rows of quoted empty cells', `${header}\nA,Tea,1290,EUR\n"","","",""\n`],
    ['empty columns at the end', `${header},,\nA,Tea,1290,EUR,,\n,,,,,\n`],
    ['empty columns at the end of the rows alone', `${header}\nA,Tea,1290,EUR,,, \n`],
    ['an empty column between', 'sku,,name,price_amount,price_currency\nA,,Tea,1290,EUR\n'],
    ['rows of delimiters', 'sku;name;price_amount;price_currency\r\nA;Tea;1290;EUR\r\n;;;\r\n'],
    ['names in capitals', 'SKU,NAME,Price_Amount,PRICE CURRENCY\nA,Tea,1290,EUR\n'],
    ['names with spaces', '"Sku ",Name, price amount,Price-Currency\nA,Tea,1290,EUR\n'],
    ['short names', 'sku,name,price,currency\nA,Tea,12.90,EUR\n'],
    ['a decimal comma', 'sku;name;price;currency\nA;Tea;12,90;EUR\n'],
    ['spaces around numbers and codes', `${header}\nA,Tea, 1290\u00a0,EUR \n`],
    ['a row of empty cells before the header', ` \n\n${header}\nA,Tea,1290,EUR\n`],
  ];
  it('makes no difference where it is empty or written otherwise', async () => {
    for (const [what, file] of files) {
      const { products, rejected } = await readProducts(file);
      expect(rejected, what).to.deep.equal([]);
      expect(products, what).to.deep.equal([tea]);
    }
  });

  it('is named with its encoding', async () => {
    const latin = Buffer.from(`${header}\nA,Tea,1290,EUR\nB,Maté,1,EUR\n`, 'latin1');
    const { products, rejected } = await readProducts(latin);
    expect(products).to.deep.equal([tea]);
    expect(rejected).to.deep.equal([
      '3: is not valid UTF-8; if a spreadsheet wrote the file, use --encoding windows-1252',
    ]);
    const { products: decoded } = await readProducts(latin, { encoding: 'windows-1252' });
    expect(decoded.map(({ name }) => name)).to.deep.equal(['Tea', 'Maté']);
    const half = Buffer.concat([
      Buffer.from(`\ufeff${header}\nA,`, 'utf16le'),
      Buffer.of(0, 0xd8),
      Buffer.from('\n', 'utf16le'),
    ]);
    expect((await readProducts(half)).rejected).to.deep.equal(['2: is not valid UTF-16LE']);
  });
});

describe('A file with tabs', () => {
  const read = async (name: string) =>
    (
      await readProducts(`sku\tname\tprice\tcurrency\nA\t${name}\t12.90\tEUR\nB\tMate\t1\tEUR\n`)
    ).products.map((product) => product.name);

  it('may have quotes inside its cells, as Google Sheets leaves them', async () => {
    expect(await read('Rack 19" "deep"')).to.deep.equal(['Rack 19" "deep"', 'Mate']);
    expect(await read('Mug "big"')).to.deep.equal(['Mug "big"', 'Mate']);
  });

  it('may have quotes around its cells, as Excel writes them', async () => {
    expect(await read('"Mug ""big"""')).to.deep.equal(['Mug "big"', 'Mate']);
    expect(await read('"Tab\there"')).to.deep.equal(['Tab\there', 'Mate']);
  });
});

describe('A file that is something else', () => {
  const files: readonly (readonly [string, string, RegExp])[] = [
    ['a workbook', '504b0304140006000800', /^The file is a workbook or another ZIP file\. Save it as CSV/],
    ['an old workbook', 'd0cf11e0a1b11ae1', /^The file is a workbook of an old Excel\. Save it as CSV/],
    [
      'a page',
      Buffer.from('<!DOCTYPE html>').toString('hex'),
      /^The file is a web page or another XML file\./,
    ],
    ['a table', Buffer.from('<table>').toString('hex'), /^The file is a web page or another XML file\./],
    ['a feed', Buffer.from('\ufeff<?xml version="1.0"?>').toString('hex'), /^The file is a web page or/],
    ['compressed', '1f8b0800000000', /^The file is compressed with gzip\. .* unpack it first\.$/],
  ];
  it('is rejected as what it is', async () => {
    for (const [what, hex, message] of files) {
      for (const format of ['csv', 'jsonl'] as const) {
        expect(await messageOf(Buffer.from(hex, 'hex'), {}, format), what).to.match(message);
      }
    }
  });

  it('is rejected as JSON where it is read as CSV', async () => {
    for (const json of [
      '[{"sku":"A"}]',
      '{"sku":"A"}\n',
      '[\n  {\n    "sku": "A"}]',
      '\ufeff{ "sku": "A" }',
    ]) {
      const file = Buffer.from(json);
      expect(await messageOf(file, {}, 'csv')).to.match(/^The file is JSON, not CSV\. .*--format jsonl\.$/);
    }
  });

  it('is rejected with advice in its first line where it is CSV under another name', async () => {
    const { rejected } = await readProducts(`${header}\nA,Tea,1,EUR\n`, {}, 'jsonl');
    expect(rejected).to.deep.equal([
      '1: is not valid JSON; if the file is CSV, use --format csv',
      '2: is not valid JSON',
    ]);
    const { rejected: json } = await readProducts('{"sku":1\n[]\n', {}, 'jsonl');
    expect(json).to.deep.equal(['1: is not valid JSON', '2: must be an object']);
  });

  it('is rejected with advice in its first line where it is JSON in one piece', async () => {
    const array = await readProducts('[{"sku":"A"},\n{"sku":"B"}]\n', {}, 'jsonl');
    expect(array.rejected[0]).to.equal(
      "1: is not valid JSON; write each product in a line of its own, as jq -c '.[]' does",
    );
    expect((await readProducts('{\n"sku":"A"\n}\n', {}, 'jsonl')).rejected).to.deep.equal([
      '1: is not valid JSON; write each product in one line, as jq -c . does',
      '2: is not valid JSON',
      '3: is not valid JSON',
    ]);
  });

  it('is rejected with its encoding in JSON Lines, too', async () => {
    const latin = Buffer.from('{"sku":"é"}\n', 'latin1');
    expect((await readProducts(latin, {}, 'jsonl')).rejected[0]).to.match(/--encoding windows-1252$/);
  });
});

describe('The columns of a file from elsewhere', () => {
  const file = 'Artikel,Bezeichnung,Preis,Farbe,Lager\nA,Tea,12.90,rot,5\n';
  const renames = [
    { from: 'artikel', to: 'sku' },
    { from: 'Bezeichnung', to: 'name' },
    { from: 'Preis', to: 'price' },
  ];

  it('are all named when they are unknown', async () => {
    expect(await messageOf(file)).to.equal(
      'The header has 5 unknown columns: "Artikel", "Bezeichnung", "Preis", "Farbe", "Lager". Known columns are sku, ' +
        'name, price_amount, price_currency, description, status, stock, quantity_step, image_urls, tags, tax_rate, metadata. Rename columns with ' +
        '--map "Artikel=sku" --map "Bezeichnung=name" --map "Preis=price", or leave them out with --ignore-unknown.',
    );
    expect(await messageOf('sku,$(Preis),Farbe\n')).to.match(
      / Rename columns with --map "THEIR NAME=name", or leave them out with --ignore-unknown\.$/,
    );
    expect(await messageOf(file, { renames })).to.match(
      /^The header has 2 unknown columns: "Farbe", "Lager"\./,
    );
  });

  it('are renamed by --map, and left out by --ignore-unknown or by an empty name', async () => {
    const options = { renames, currency: 'EUR' };
    const { products, ignored } = await readProducts(file, { ...options, ignoreUnknown: true });
    expect([products, ignored]).to.deep.equal([[tea], ['Farbe', 'Lager']]);
    const dropped = { renames: [...renames, { from: 'Farbe', to: '' }, { from: 'Lager', to: 'stock' }] };
    const kept = await readProducts(file, { ...options, ...dropped });
    expect([kept.products, kept.ignored]).to.deep.equal([[{ ...tea, stock: 5000 }], ['Farbe']]);
  });

  const mistakes: readonly (readonly [string, string, RowOptions, RegExp])[] = [
    [
      'a name that the header does not have',
      file,
      { renames: [{ from: 'Artikl', to: 'sku' }] },
      /^--map names the column "Artikl", which the header does not have\. Did you mean Artikel\?$/,
    ],
    [
      'a name in a language of its own',
      file,
      { renames: [{ from: 'Preisliste', to: 'price' }] },
      /does not have\. Its columns are "Artikel", "Bezeichnung", "Preis", "Farbe", "Lager"\.$/,
    ],
    [
      'no names at all',
      'A-1,Tea,12.90,EUR\n',
      {},
      /^The header has 4 unknown columns.* The first line must name the columns, and this one has numbers\./,
    ],
    [
      'a target that is no column',
      'Nr,name,price,currency\n',
      { renames: [{ from: 'Nr', to: 'number' }] },
      /^--map gives a column the name "number", which is unknown\. Known columns are sku, name, /,
    ],
    [
      'a target that is almost a column, where unknown ones are left out',
      'Nr,name,price,currency,Farbe\n',
      { renames: [{ from: 'Nr', to: 'skuu' }], ignoreUnknown: true },
      /^--map gives a column the name "skuu", which is unknown\. Did you mean sku\?$/,
    ],
    [
      'almost a column',
      'sku,nmae,price_amount,price_currency',
      {},
      /^The header has an unknown column "nmae"\. .* Did you mean name\?$/,
    ],
    ['a quote', 'sku,na"me', {}, /^The header line has a quote inside an unquoted cell/],
    ['nothing', '', {}, /^The file is empty\. Its first line must name the columns\.$/],
    [
      'one column twice',
      'sku,Nr,name,price,currency\n',
      { renames: [{ from: 'Nr', to: 'sku' }] },
      /^The header has the column sku twice\.$/,
    ],
    ['two prices', `${header},price\n`, {}, /^The header has the columns price and price_amount\. Keep one/],
    [
      'no currency',
      'sku,name,price\n',
      {},
      /^The header lacks the required column price_currency\..* add --currency EUR/,
    ],
    [
      'no sku',
      'name,description\n',
      {},
      /^The header lacks the required column sku\. If the file has another name for it, use --map "THAT NAME=sku"\.$/,
    ],
    [
      'the columns of WooCommerce',
      'ID,SKU,Name,Regular price\n',
      {},
      /unknown columns: "ID", "Regular price"\..* use --preset woocommerce\.$/,
    ],
    [
      'the columns of Shopify',
      'Handle,Title,Variant SKU,Variant Price\n',
      {},
      /"Variant Price"\..* use --preset shopify\.$/,
    ],
  ];
  it('are rejected where one is unknown, missing or there twice', async () => {
    for (const [what, text, options, message] of mistakes) {
      expect(await messageOf(text, options), what).to.match(message);
    }
  });

  it('may have a currency of their own beside --currency', async () => {
    const { products } = await readProducts('sku,name,price,currency\nA,Tea,1.5,KWD\nB,Tea,12.90,\n', {
      currency: 'EUR',
    });
    expect(products.map(({ price }) => price)).to.deep.equal([
      { amount: 1500, currency: 'KWD' },
      { amount: 1290, currency: 'EUR' },
    ]);
  });
});
