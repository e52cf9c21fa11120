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
  for (const [what, file] of files) {
    it(`makes no difference: ${what}`, async () => {
      const { products, rejected } = await readProducts(file);
      expect(rejected).to.deep.equal([]);
      expect(products).to.deep.equal([tea]);
    });
  }

  it('makes no difference to a status in capitals', async () => {
    const { products } = await readProducts(`${header},Status,stock\nA,Tea,1290,EUR,Draft , 2\n`);
    expect(products).to.deep.equal([{ ...tea, status: 'draft', stock: 2000 }]);
  });

  it('keeps the spaces of texts', async () => {
    const { products } = await readProducts(`${header},description\nA, Tea ,1290,EUR, \n`);
    expect(products).to.deep.equal([{ ...tea, name: ' Tea ', description: ' ' }]);
  });

  it('is an error where a value has no column', async () => {
    const { rejected } = await readProducts(`sku,,name,price_amount,price_currency,\nA,x,Tea,1,EUR,\n`);
    expect(rejected).to.deep.equal(['2: has a value in column 2, which has no name in the header']);
    const behind = await readProducts(`${header},\nA,Tea,1,EUR,,x\nB,Tea,1,EUR,x\n`);
    expect(behind.rejected).to.deep.equal([
      '2: has 6 cells, but the header names 4 columns',
      '3: has 5 cells, but the header names 4 columns',
    ]);
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

describe('A file that is something else', () => {
  const files: readonly (readonly [string, string, RegExp])[] = [
    ['a workbook', '504b0304140006000800', /^The file is a workbook or another ZIP file\. Save it as CSV/],
    ['an old workbook', 'd0cf11e0a1b11ae1', /^The file is a workbook of an old Excel\. Save it as CSV/],
    ['compressed', '1f8b0800000000', /^The file is compressed with gzip\. .* unpack it first\.$/],
  ];
  for (const [what, hex, message] of files) {
    it(`is rejected as what it is: ${what}`, async () => {
      for (const format of ['csv', 'jsonl'] as const) {
        expect(await messageOf(Buffer.from(hex, 'hex'), {}, format)).to.match(message);
      }
    });
  }

  it('is rejected with advice in its first line where it is CSV under another name', async () => {
    const { rejected } = await readProducts(`${header}\nA,Tea,1,EUR\n`, {}, 'jsonl');
    expect(rejected).to.deep.equal([
      '1: is not valid JSON; if the file is CSV, use --format csv',
      '2: is not valid JSON',
    ]);
    const { rejected: json } = await readProducts('{"sku":1\n[]\n', {}, 'jsonl');
    expect(json).to.deep.equal(['1: is not valid JSON', '2: must be an object']);
  });

  it('is rejected with its encoding in JSON Lines, too', async () => {
    const latin = Buffer.from('{"sku":"é"}\n', 'latin1');
    expect((await readProducts(latin, {}, 'jsonl')).rejected[0]).to.match(/--encoding windows-1252$/);
  });
});

describe('A number in a file of products', () => {
  const row = (amount: string, currency = 'EUR', stock = ''): string =>
    `${header},stock\nA,Tea,"${amount}",${currency},"${stock}"\n`;
  const reasonOf = async (file: string, options?: RowOptions): Promise<string | undefined> =>
    (await readProducts(file, options)).rejected[0];

  it('that is a decimal price says what to write', async () => {
    const advice = (amount: string, price: string): string =>
      `2: price.amount is in the minor unit: write ${amount} for ${price}, or use --decimal`;
    expect(await reasonOf(row('12.90'))).to.equal(advice('1290', '12.90 EUR'));
    expect(await reasonOf(row('12,9'))).to.equal(advice('1290', '12,9 EUR'));
    expect(await reasonOf(row('1.5', 'KWD'))).to.equal(advice('1500', '1.5 KWD'));
    expect(await reasonOf(row('1,500'))).to.equal(
      '2: price.amount is in the minor unit, such as 1290 for 12.90 EUR; --decimal converts prices',
    );
    expect(await reasonOf(row('cheap'))).to.match(/^2: price\.amount must be a whole number from 0 to /);
  });

  it('that looks whole to a program is no amount in the minor unit', async () => {
    for (const [amount, price] of [
      ['12.00', '1200 for 12.00 EUR'],
      ['7,0', '700 for 7,0 EUR'],
      ['5.00 €', '500 for 5.00 EUR'],
    ] as const) {
      expect(await reasonOf(row(amount))).to.equal(
        `2: price.amount is in the minor unit: write ${price}, or use --decimal`,
      );
    }
    expect(await reasonOf(row('1.000'))).to.match(/^2: price\.amount is in the minor unit, such as /);
  });

  const human = (price: string, currency = 'EUR', stock = ''): string =>
    `sku,name,price,currency,stock\nA,Tea,"${price}",${currency},"${stock}"\n`;

  it('that can mean a thousand is never read as one', async () => {
    const reason = (field: string, text: string): string =>
      `2: ${field} must not be ${text}, which can mean two numbers; use --decimal=dot or --decimal=comma to say which`;
    for (const [price, currency] of [
      ['1.000', 'EUR'],
      ['12.000', 'USD'],
      ['3.000', 'JPY'],
    ] as const) {
      expect(await reasonOf(human(price, currency))).to.equal(reason('price', price));
    }
    for (const stock of ['1.000', '12.500', '1,000']) {
      expect(await reasonOf(human('1', 'EUR', stock)), stock).to.equal(reason('stock', stock));
    }
    const { products } = await readProducts(human('1.000', 'EUR', '1.000'), { decimal: 'comma' });
    expect(products[0]).to.deep.include({ price: { amount: 100000, currency: 'EUR' }, stock: 1_000_000 });
  });

  it('of stock is read as the price beside it is', async () => {
    const stocks: readonly (readonly [string, number])[] = [
      ['0,5', 500],
      ['12.5', 12_500],
      ['1.234,5', 1_234_500],
      ['0.125', 125],
      ['7', 7_000],
    ];
    for (const [stock, thousandths] of stocks) {
      const { products } = await readProducts(human('12,90', 'EUR', stock));
      expect(products[0]?.stock, stock).to.equal(thousandths);
    }
    expect(await reasonOf(human('1', 'EUR', '-2'))).to.equal(
      '2: stock must be a number of 0 or more, not -2',
    );
    expect(await reasonOf(human('-1'))).to.equal('2: price must be a number of 0 or more, not -1');
  });

  it('may have its currency beside it', async () => {
    const prices: readonly (readonly [string, string, number])[] = [
      ['19,90 €', 'EUR', 1990],
      ['€ 1.234,50', 'EUR', 123450],
      ['EUR 7,50', 'eur', 750],
      ['7.50EUR', 'EUR', 750],
      ['$5', 'USD', 500],
      ['CHF 1’250.50', 'CHF', 125050],
      ['12,50 zł', 'PLN', 1250],
      ['199\u00a0kr', 'SEK', 19900],
      ['¥300', 'JPY', 300],
    ];
    for (const [price, currency, amount] of prices) {
      const { products, rejected } = await readProducts(human(price, currency));
      expect(rejected).to.deep.equal([]);
      expect(products[0]?.price, price).to.deep.equal({ amount, currency: currency.toUpperCase() });
    }
    for (const price of ['7,50 £', '$5', 'USD 5', '5 € 3', '€', '€€5', 'from 5 €', '-5 €']) {
      expect(await reasonOf(human(price)), price).to.match(/^2: price (must be a number|is required)/);
    }
  });

  it('says how numbers are written in this file', async () => {
    const { rejected } = await readProducts(human('12.5'), { decimal: 'comma' });
    expect(rejected).to.deep.equal(['2: price must be a number such as 12,90, not 12.5']);
  });

  it('with a decimal comma says what to write', async () => {
    expect(await reasonOf(row('1', 'EUR', '1,5'))).to.equal(
      '2: stock must be a number with a dot before its decimals, such as 1.5, not 1,5',
    );
  });

  it('is converted with --decimal', async () => {
    const { products } = await readProducts(row('12,90', 'EUR', '1,5'), { decimal: true });
    expect(products).to.deep.equal([{ ...tea, stock: 1500 }]);
    const { products: yen } = await readProducts(row('150', 'JPY', '2'), { decimal: true });
    expect(yen[0]).to.deep.include({ price: { amount: 150, currency: 'JPY' }, stock: 2000 });
    expect(await reasonOf(row('1,500', 'EUR', '1,2345'), { decimal: 'comma' })).to.equal(
      '2: stock must have at most 3 decimals, not 1,2345',
    );
    expect(await reasonOf(row('1.500'), { decimal: true })).to.match(
      /^2: price\.amount must not be 1\.500, /,
    );
  });

  it('in the column price is named as the file names it', async () => {
    expect(await reasonOf('SKU,Name,Price,Currency\nA,Tea,free,EUR\n')).to.equal(
      '2: Price must be a number such as 12.90, not free',
    );
    expect(await reasonOf('SKU,Name,Price,Currency\nA,Tea,,EUR\n')).to.equal('2: Price is required');
    expect(await reasonOf('SKU,Name,Price,Currency\nA,Tea,1,Euro\n')).to.match(/^2: Currency must /);
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
        'name, price_amount, price_currency, description, status, stock. Rename columns with --map "THEIR NAME=name", ' +
        'or leave them out with --ignore-unknown.',
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
      'a target that is no column',
      'Nr,name,price,currency\n',
      { renames: [{ from: 'Nr', to: 'number' }] },
      /^The header has an unknown column "Nr"\./,
    ],
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
      'several columns too few',
      'sku,description\n',
      { currency: 'EUR' },
      /^The header lacks the required columns name, price_amount\.$/,
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
  for (const [what, text, options, message] of mistakes) {
    it(`cannot have ${what}`, async () => expect(await messageOf(text, options)).to.match(message));
  }

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
