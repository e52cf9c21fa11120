import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';

/** Modules of the page, which have no types. */
const folder = new URL('../../adapters/ops/admin/browser/views/import/', import.meta.url);

describe('The plan of an import on the admin page', () => {
  let page: Json;
  before(async () => {
    const names = ['plan.js', 'repeated.ts', 'compare.js', 'emptied.ts'];
    page = Object.assign({}, ...(await Promise.all(names.map((name) => import(`${folder}${name}`)))));
  });

  const header = ['sku', 'name', 'price', 'stock', 'tax_rate'];
  const plan = (...rows: readonly (readonly string[])[]): Promise<Json> =>
    page.planImport(
      { header, rows: rows.map((cells, index) => ({ line: index + 2, cells })), rejected: [] },
      { chosen: header, currency: 'EUR', stock: 'replace' },
      new AbortController().signal,
    );

  it('names the rows that repeat an article number', async () => {
    const { repeated } = await plan(
      ['A', 'Tea', '1', '', ''],
      ['B', 'Mug', '1', '', ''],
      ['A', 'Tea', '2', '', ''],
    );
    expect(page.repeatedText(repeated, 'replace')).to.equal(
      'Line 4 repeats the article number A of line 2. The last one counts.',
    );
    const many = Array.from({ length: 12 }, (_, index) => ({ line: index + 3, sku: 'A', before: index + 2 }));
    expect(page.repeatedText(many, 'add')).to.match(
      /^12 rows repeat the article number of a row above: line 3 \(A, as line 2\), .*, and 2 more\. All are added/,
    );
  });

  it('leaves out rows with the error of a formula, and names article numbers that a spreadsheet has ruined', async () => {
    const { rejected, ruined, products } = await plan(
      ['A', '#REF!', '1', '', ''],
      ['2-Jan', 'Tea', '1', '', ''],
    );
    expect(rejected).to.deep.equal([
      {
        line: 2,
        sku: 'A',
        reason: 'has #REF! in the column name, where a spreadsheet could not show a value',
      },
    ]);
    expect(ruined.map(({ line, sku }: Json) => [line, sku])).to.deep.equal([[3, '2-Jan']]);
    expect([...products.keys()]).to.deep.equal(['2-Jan']);
  });

  it('names numbers in metadata that a spreadsheet has rounded, and no dates there', async () => {
    const { ruined } = await page.planImport(
      {
        header: ['sku', 'metadata'],
        rows: [{ line: 2, cells: ['A', '{"ean":"4,00638E+12","since":"2026-01-02"}'] }],
        rejected: [],
      },
      { chosen: ['sku', 'metadata'], currency: 'EUR', stock: 'replace' },
      new AbortController().signal,
    );
    expect(ruined).to.have.lengthOf(1);
    expect(ruined[0].reason).to.match(/^has 4,00638E\+12 as ean, a number that a spreadsheet has rounded/);
  });

  it('asks before an empty cell changes what is sold, and only where it would', async () => {
    const product = (await plan(['A', '', '', '', ''])).products.get('A');
    const existing = {
      ...{ sku: 'A', name: 'Tea', price: { amount: 1, currency: 'EUR' }, metadata: {} },
      ...{ stock: 5, quantity_step: 1, tax_rate: 20 },
    };
    const compared = (stored: Json, options: Json = {}) =>
      page.compare(product, { existing: stored }, options);
    const asked = compared(existing);
    expect(asked).to.deep.include({ kind: 'rejected', emptied: ['stock', 'tax_rate'] });
    expect(asked.reason).to.equal(
      'stock is empty, so the 5 in stock would no longer be counted; tax_rate is empty, so no tax would be shown',
    );
    expect(compared(existing, { allowUncounted: true })).to.deep.include({
      ...{ kind: 'changed', emptied: ['stock', 'tax_rate'], changes: { stock: null, tax_rate: null } },
    });
    expect(compared({ ...existing, stock: null, tax_rate: null }).kind).to.equal('unchanged');
    expect(page.emptiedText([['stock'], ['stock', 'tax_rate'], []])).to.equal(
      'stock no longer counted: 2, no tax shown: 1',
    );
  });
});
