import { expect } from 'chai';
import { columnNamed } from '#adapters/product-files/columns.ts';
import { type Plan, planImport, type StockUse } from '#adapters/product-files/plan.ts';
import { Money } from '#domain/money.ts';

const required = {
  advice: { sign: 'choose a sign', minorUnit: 'convert it' },
  decimalsOf: Money.decimalsOf,
};

/** Plans the import of a file, whose first line names the columns. */
const planOf = async (lines: readonly string[], use: StockUse | 'unsaid' = 'replace'): Promise<Plan> => {
  const [header = [], ...rows] = lines.map((line) => line.split(';'));
  const plan = await planImport(
    { header, rows: rows.map((cells, index) => ({ line: index + 2, cells })), rejected: [] },
    {
      names: header.map(columnNamed),
      stockUse: use === 'unsaid' ? undefined : use,
      currency: 'EUR',
      ...required,
    },
    { pause: async () => undefined, signal: new AbortController().signal },
  );
  if (plan === undefined) throw new Error('It was not ended.');
  return plan;
};

describe('The plan of an import', () => {
  it('has the products by SKU, and the lines that are left out', async () => {
    const { products, rejected } = await planOf([
      'sku;name;price;stock;status',
      'A;Tea;1;2;',
      ';Mug;1;2;',
      'NEU-077;Pot',
      'B;#REF!;1;2;',
      'C;Cup;cheap;x;',
      '; ; ;;',
    ]);
    expect([...products.keys()]).to.deep.equal(['A']);
    expect(products.get('A')).to.deep.include({
      ...{ line: 2, sku: 'A', added: undefined, undecided: undefined },
      fields: { name: 'Tea', price: { amount: 100, currency: 'EUR' }, stock: 2 },
    });
    expect(rejected).to.deep.equal([
      { line: 3, sku: '', reason: 'has no article number (SKU)' },
      { line: 4, sku: 'NEU-077', reason: 'has 2 cells, but the header names 5 columns' },
      {
        ...{ line: 5, sku: 'B' },
        reason: 'has #REF! in the column name, where a spreadsheet could not show a value',
      },
      {
        ...{ line: 6, sku: 'C' },
        reason: 'price must be a number such as 12.90, not cheap; stock must be a number such as 12, not x',
      },
    ]);
  });

  it('counts of rows with one SKU what the last of them says, whatever its normal form', async () => {
    const { products, repeated } = await planOf([
      'sku;name;price;price_currency;stock;metadata.a;metadata.b',
      'caf\u00e9;Coffee;5;USD;1;x;y',
      'cafe\u0301;;;;7;;z',
      'caf\u00e9;;6;;8;;',
      'caf\u00e9;x;bad;;9;;',
    ]);
    expect(repeated).to.deep.equal([
      { line: 3, sku: 'café', before: 2 },
      { line: 4, sku: 'café', before: 3 },
    ]);
    expect(products.get('café')?.fields).to.deep.equal({
      ...{ name: 'Coffee', price: { amount: 600, currency: 'EUR' }, stock: 8 },
      metadata: { a: null, b: null },
    });
  });

  it('reads the stock as a person says what it does', async () => {
    const lines = ['sku;stock', 'A;2.5', 'A;40', 'B;', 'C;x'];
    const stockOf = async (use: StockUse) => {
      const { products, rejected } = await planOf(lines, use);
      const { fields, added, undecided } = products.get('A') ?? {};
      return [fields?.stock, added, undecided, rejected.length, products.get('B')?.fields.stock];
    };
    expect(await stockOf('replace')).to.deep.equal([40, undefined, undefined, 1, null]);
    expect(await stockOf('add')).to.deep.equal([undefined, 42.5, undefined, 1, undefined]);
    expect(await stockOf('none')).to.deep.equal([undefined, undefined, undefined, 0, undefined]);
    expect(await planOf(lines, 'unsaid').then(({ products }) => products.get('A')?.undecided)).to.equal('40');
  });

  it('names what a spreadsheet has ruined, and the first name with misread letters', async () => {
    const { doubtful } = await planOf([
      'sku;name;metadata',
      '2-Jan;Tea;',
      'A;CafÃ©;{"ean":"4,00638E+12","since":"2026-01-02"}',
      'B;SÃ£o;',
    ]);
    expect(doubtful.map(({ line, reason }) => `${line} ${reason.slice(0, 31)}`)).to.deep.equal([
      '2 is a date, which spreadsheets m',
      '3 has 4,00638E+12 as ean, a numbe',
      '3 has a name whose letters look a',
    ]);
  });

  it('ends when it is told to, and lets other work be done between', async () => {
    const ending = new AbortController();
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === 2) ending.abort();
    };
    const rows = Array.from({ length: 1000 }, (_, line) => ({ line, cells: [`${line}`] }));
    const settings = { names: ['sku'], stockUse: 'replace', ...required } as const;
    const file = { header: ['sku'], rows, rejected: [] };
    expect(await planImport(file, settings, { pause, signal: ending.signal })).to.equal(undefined);
    expect(pauses).to.equal(2);
  });
});
