import { expect } from 'chai';
import { type Cells, type ProductOptions, productFromCells } from '#adapters/product-files/product.ts';
import { Money } from '#domain/money.ts';

const required = {
  advice: { sign: 'choose a sign', minorUnit: 'convert it' },
  decimalsOf: Money.decimalsOf,
};

/** @returns the fields without the sku, or the errors */
const read = (cells: Cells, options: Partial<ProductOptions> = {}): unknown => {
  const { fields, errors } = productFromCells({ sku: 'A', ...cells }, { ...required, ...options });
  const { sku: _, ...others } = fields;
  return errors.length > 0 ? errors.map(({ field, message }) => `${field} ${message}`) : others;
};

const ambiguous = (field: string, text: string) => [
  `${field} must not be ${text}, which can mean two numbers; choose a sign`,
];

describe('The product of a row', () => {
  it('has what its cells say; an empty cell empties a field, and what cannot be empty counts as left out', () => {
    expect(productFromCells({}, { ...required })).to.deep.equal({ fields: {}, errors: [] });
    const cells = {
      ...{ sku: ' ', name: ' ', price: '', price_currency: 'EUR', status: ' ', metadata: ' ' },
      ...{ description: '', stock: ' ', quantity_step: '', tax_rate: '', tags: ' ', image_urls: '' },
    };
    expect(productFromCells(cells, { ...required, currency: 'USD' }).fields).to.deep.equal({
      ...{ description: null, stock: null, quantity_step: null, tax_rate: null, tags: [], image_urls: [] },
    });
  });

  it('keeps the ends of its texts, because a product may have been stored so', () => {
    const cells = { sku: ' A ', name: 'Tea ', description: ' ', 'metadata.a': ' x ' };
    expect(productFromCells(cells, { ...required }).fields).to.deep.equal({
      ...{ sku: ' A ', name: 'Tea ', description: ' ', metadata: { a: ' x ' } },
    });
  });

  it('has a status in the words of other shops', () => {
    for (const [cell, status] of [
      [' Draft ', 'draft'],
      ['TRUE', 'active'],
      ['published', 'active'],
      ['-1', 'draft'],
      ['Archived', 'archived'],
    ] as const)
      expect(read({ status: cell }), cell).to.deep.equal({ status });
    expect(read({ status: 'sold out' })).to.deep.equal([
      'status must be one of draft, active, archived, not sold out',
    ]);
  });

  it('has tags as they are stored, each once', () => {
    for (const [cell, tags] of [
      ['linen, Summer ,,sale', ['linen', 'summer', 'sale']],
      ['Été 2026, ete-2026', ['ete-2026']],
      ['-, a--b, 0', ['-', 'a--b', '0']],
      ['Größe M\nneu', ['grosse-m', 'neu']],
      ['Tee, Grün, 茶', ['tee', 'grun']],
    ] as const)
      expect(read({ tags: cell }), cell).to.deep.equal({ tags });
  });

  it('has images, whose addresses may have commas', () => {
    const [one, two] = ['https://example.com/w_100,h_100/a,b.jpg', 'https://example.com/2.jpg?x=1,2'];
    for (const separator of [', ', ',', ' ', '\n', ' , ', ',\r\n'])
      expect(read({ image_urls: `${one}${separator}${two}` }), separator).to.deep.equal({
        image_urls: [one, two],
      });
    expect(read({ image_urls: `${one},${one}` })).to.deep.equal({ image_urls: [one, one] });
    expect(read({ image_urls: 'https://example.com/?u=x\\,https://example.com/' })).to.deep.equal({
      image_urls: ['https://example.com/?u=x,https://example.com/'],
    });
    expect(read({ image_urls: '2.jpg' })).to.deep.equal({ image_urls: ['2.jpg'] });
  });

  it('has metadata of one column and of many, and an empty cell of one removes its text', () => {
    expect(
      read({ metadata: '{"colour":"red","size":"S"}', 'metadata.size': 'M', 'metadata.old': '' }),
    ).to.deep.equal({
      metadata: { colour: 'red', size: 'M', old: null },
    });
    for (const cell of [
      'red',
      '[]',
      '{"a":',
      '"a"',
      'null',
      '{"a":"1","a":"2"}',
      '{"a":"1" , "\\u0061" :"2"}',
    ])
      expect(read({ metadata: cell }), cell).to.deep.equal([
        'metadata must be a JSON object, such as {"colour":"blue"}',
      ]);
    expect(read({ metadata: '{"size":7}' })).to.deep.equal(['metadata.size must be a string']);
    expect(read({ metadata: '{"size":null,"b\\"\\\\":"x: \\"y\\":"}' })).to.deep.equal({
      metadata: { size: null, 'b"\\': 'x: "y":' },
    });
  });
});

describe('The price of a row', () => {
  const priceOf = (cells: Cells, options: Partial<ProductOptions> = {}): unknown => {
    const found = read(cells, options);
    return Array.isArray(found) ? found.join() : Object.values(Object(found))[0];
  };

  const prices: readonly (readonly [string, string, number])[] = [
    ['12,90', 'EUR', 1290],
    ['19,90 €', 'EUR', 1990],
    ['€ 1.234,50', 'EUR', 123450],
    ['EUR 7,50', ' eur ', 750],
    ['7.50EUR', 'EUR', 750],
    ['$5', 'USD', 500],
    ['CHF 1’250.50', 'CHF', 125050],
    ['12,50 zł', 'PLN', 1250],
    ['199\u00a0kr', 'SEK', 19900],
    ['¥300', 'JPY', 300],
    ['5', 'IQD', 5000],
    ['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
  ];
  it('may have its currency beside it, and is exact', () => {
    for (const [price, currency, amount] of prices)
      expect(priceOf({ price, price_currency: currency }), price).to.deep.equal({
        ...{ amount, currency: currency.trim().toUpperCase() },
      });
  });

  it('is rejected where it is no number in its currency', () => {
    for (const price of ['7,50 £', '$5', 'USD 5', '5 € 3', '€', '€€5', 'from 5 €', '-5 €'])
      expect(priceOf({ price, price_currency: 'EUR' }), price).to.match(/^price\.amount must be a number/);
    for (const [price, currency] of [
      ['1.000', 'EUR'],
      ['12.000', 'USD'],
      ['3.000', 'JPY'],
    ] as const)
      expect(priceOf({ price, price_currency: currency })).to.equal(ambiguous('price.amount', price).join());
    for (const [cells, error] of [
      [{ price: '-1' }, 'price.amount must be a number of 0 or more, not -1'],
      [{ price: '99999999999999999999' }, 'price.amount is too large: 99999999999999999999'],
      [{ price: '90071992547409.92' }, 'price.amount is too large: 90071992547409.92'],
      [{ price: '1', price_currency: 'Euro' }, 'price.currency must be three letters such as EUR, not EURO'],
    ] as const)
      expect(priceOf(cells, { currency: 'EUR' })).to.equal(error);
    expect(priceOf({ price: '1' })).to.equal('price.currency is required');
    expect(priceOf({ price: '12.5' }, { currency: 'EUR', sign: 'comma' })).to.equal(
      'price.amount must be a number such as 12,90, not 12.5',
    );
  });

  it('in the minor unit is a whole number, and says what to write for another one', () => {
    const minor = (price_amount: string, price_currency = 'EUR') => priceOf({ price_amount, price_currency });
    expect(minor('1290')).to.deep.equal({ amount: 1290, currency: 'EUR' });
    expect(priceOf({ price_amount: '1290' })).to.deep.equal({ amount: 1290 });
    for (const [amount, currency, text] of [
      ['12.90', 'EUR', ': write 1290 for 12.90 EUR'],
      ['12,9', 'EUR', ': write 1290 for 12,9 EUR'],
      ['1.5', 'KWD', ': write 1500 for 1.5 KWD'],
      ['12.00', 'EUR', ': write 1200 for 12.00 EUR'],
      ['5.00 €', 'EUR', ': write 500 for 5.00 EUR'],
      ['1,500', 'EUR', ', such as 1290 for 12.90 EUR'],
      ['1.000', 'EUR', ', such as 1290 for 12.90 EUR'],
    ] as const)
      expect(minor(amount, currency)).to.equal(`price.amount is in the minor unit${text}, or convert it`);
    for (const amount of ['cheap', '9007199254740993'])
      expect(minor(amount)).to.equal(
        `price.amount must be a whole number from 0 to 9007199254740991, not ${amount}`,
      );
  });

  it('in the minor unit is converted where that is asked for', () => {
    const converted = (price_amount: string, price_currency: string, sign?: 'dot' | 'comma') =>
      priceOf({ price_amount, price_currency }, { isDecimal: true, writtenBy: 'people', sign });
    expect(converted('12,90', 'EUR')).to.deep.equal({ amount: 1290, currency: 'EUR' });
    expect(converted('150', 'JPY')).to.deep.equal({ amount: 150, currency: 'JPY' });
    expect(converted('1.500', 'EUR')).to.equal(ambiguous('price.amount', '1.500').join());
    expect(converted('1.500', 'EUR', 'comma')).to.deep.equal({ amount: 150_000, currency: 'EUR' });
  });

  it('has the currency of the options where the row names none', () => {
    expect(priceOf({ price: '2', price_currency: '' }, { currency: 'EUR' })).to.deep.equal({
      ...{ amount: 200, currency: 'EUR' },
    });
    expect(priceOf({ price: '2', price_currency: 'USD' }, { currency: 'EUR' })).to.deep.equal({
      ...{ amount: 200, currency: 'USD' },
    });
    expect(read({ stock: '1' }, { currency: 'EUR' })).to.deep.equal({ stock: 1 });
    expect(read({ price_currency: 'USD' })).to.deep.equal({ price: { currency: 'USD' } });
  });
});

describe('A number of a row', () => {
  type Row = readonly [cell: string, value: number | null | RegExp];
  const tables: readonly (readonly [
    string,
    Partial<ProductOptions>,
    readonly ('stock' | 'quantity_step' | 'tax_rate')[],
    readonly Row[],
  ])[] = [
    [
      'that people wrote may have the signs of their country',
      {},
      ['stock', 'quantity_step', 'tax_rate'],
      [
        ['7', 7],
        [' 0,5 ', 0.5],
        ['12.5', 12.5],
        ['0.125', 0.125],
        ['', null],
        ['-2', /^\w+ must be a number of 0 or more, not -2$/],
        ['1,2345', /^\w+ must have at most 3 decimals, not 1,2345$/],
        ['1,000', /^\w+ must not be 1,000, which can mean two numbers; choose a sign$/],
      ],
    ],
    [
      'that is a quantity may mean a thousand, and is no percentage',
      {},
      ['stock', 'quantity_step'],
      [
        ['1.234,5', 1234.5],
        ['1.000', /can mean two numbers/],
        ['12.500', /can mean two numbers/],
        ['5 %', /must be a number such as /],
      ],
    ],
    [
      'that is a tax rate may have a percent sign, and is no thousand',
      {},
      ['tax_rate'],
      [
        ['19%', 19],
        ['19 %', 19],
        ['19.000', 19],
        ['reduced', /^tax_rate must be a number such as 19, not reduced$/],
      ],
    ],
    [
      'has the sign that a person chose',
      { sign: 'dot', writtenBy: 'people' },
      ['stock', 'tax_rate'],
      [['1.000', 1]],
    ],
    [
      'has the sign that a person chose, with its example',
      { sign: 'comma', writtenBy: 'people' },
      ['quantity_step'],
      [
        ['1.000', 1000],
        ['x', /^quantity_step must be a number such as 0,25, not x$/],
      ],
    ],
    [
      'that a program wrote has a dot before its decimals',
      { sign: 'dot', writtenBy: 'program' },
      ['stock', 'quantity_step', 'tax_rate'],
      [
        ['1.000', 1],
        ['12.345', 12.345],
        ['1,5', /^\w+ must be a number with a dot before its decimals, such as 1\.5, not 1,5$/],
      ],
    ],
  ];
  for (const [what, options, fields, rows] of tables)
    it(what, () => {
      for (const field of fields)
        for (const [cell, expected] of rows) {
          const found = read({ [field]: cell }, options);
          if (expected instanceof RegExp) expect(String(found), cell).to.match(expected);
          else expect(found, `${field} ${cell}`).to.deep.equal({ [field]: expected });
        }
    });

  it('stands beside prices in the minor unit because a program wrote the file, unless a person says otherwise', () => {
    expect(read({ price_amount: '1', stock: '12.345' })).to.deep.include({ stock: 12.345 });
    expect(read({ price_amount: '1', stock: '1,5' })).to.match(/must be a number with a dot/);
    expect(read({ price_amount: '1', stock: '1,5' }, { writtenBy: 'people' })).to.deep.include({
      stock: 1.5,
    });
  });
});
