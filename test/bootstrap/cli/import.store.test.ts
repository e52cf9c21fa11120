import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { readAll } from '#application/pages.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { parseDatabase } from '#bootstrap/config/database.ts';
import type { Product } from '#domain/product.ts';
import { euros } from '../../http/support/shop.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { describeOnEach } from '../support/places.ts';
import { type Ended, runHere } from '../support/portico.ts';

describeOnEach('An import of products', (place) => {
  const folder = temporaryFolder();
  const settings = () => ({ DATABASE_URL: place.url });
  const run = (...words: readonly string[]): Promise<Ended> => runHere(words, settings());
  const importing = (...words: readonly string[]) => run('import', 'products', ...words);

  const written = (name: string, text: string): string => {
    writeFileSync(folder(name), text);
    return folder(name);
  };

  const open = (): Promise<Store> => {
    const database = parseDatabase(place.url);
    if (database === undefined) throw new TypeError('The place is a database.');
    return openStore(database);
  };

  /** All stored products by sku. */
  const storedProducts = async (): Promise<Map<string | null, Product>> => {
    const store = await open();
    const products = new Map<string | null, Product>();
    await store.unitOfWork.read(async ({ products: all }) => {
      for await (const product of readAll(all, {})) products.set(product.sku, product);
    });
    await store.close();
    return products;
  };

  it('reads JSON Lines, and changes nothing the second time', async () => {
    const file = written(
      'a.jsonl',
      [
        '{"sku":"A-1","name":"Tea","price":{"amount":350,"currency":"EUR"},"stock":1.5}',
        '',
        '{"sku":"A-2","name":"Mate","price":{"amount":400,"currency":"EUR"},"status":"draft"}',
      ].join('\r\n'),
    );
    const { errors, ...first } = await importing(file);
    expect(first).to.deep.equal({
      code: 0,
      output: 'Read 3 lines: 2 added, 0 updated, 0 unchanged, 0 rejected.\n',
    });
    // On a busy machine it takes so long that it reports its progress.
    expect(errors).to.match(/^(\d+ %: .*\n)*$/);
    const before = await storedProducts();
    expect(before.get('A-1')).to.include({ name: 'Tea', stock: 1500, status: 'active', description: null });
    expect(before.get('A-2')).to.include({ status: 'draft', stock: null });
    expect((await importing(file)).output).to.match(/: 0 added, 0 updated, 2 unchanged, 0 rejected\.\n$/);
    expect(await storedProducts()).to.deep.equal(before);
  });

  it('reads CSV with columns in any order, some of them left out', async () => {
    const file = written(
      'a.csv',
      'price_currency,name,sku,price_amount,description\nEUR,"Green ""tea"",\nloose",A-1,375,\nEUR,New,A-3,1,words\n',
    );
    expect((await importing(file)).output).to.match(/^Read 4 lines: 1 added, 1 updated, 0 unchanged/);
    const products = await storedProducts();
    const tea = {
      name: 'Green "tea",\nloose',
      price: euros(375),
      description: null,
      stock: 1500,
      version: 2,
    };
    expect(products.get('A-1')).to.deep.include(tea);
    expect(products.get('A-3')).to.deep.include({ price: euros(1), description: 'words', status: 'active' });
  });

  it('reports each invalid line with its reason, and imports the others', async () => {
    const file = written(
      'bad.csv',
      [
        'sku,name,price_amount,price_currency,status,stock',
        'B-1,Tea,350,EUR,,',
        'B-2,,12.50,eur,sold,many',
        'B-3,Tea,350,EUR',
        ',Tea,350,EUR,active,1',
        'B-4,Te"a,350,EUR,active,1',
        'B-5,Tea,9007199254740993,EUR,active,0.0001',
        '"B-6","Te\na",350,EUR,active,7.125',
        'B-7,Tea,350,EUR,active,1',
        '',
      ].join('\n'),
    );
    const { code, output, errors } = await importing(file);
    expect(code).to.equal(3);
    expect(errors.trim().split('\n')).to.deep.equal([
      'line 3: price.amount is in the minor unit: write 1250 for 12.50 EUR, or use --decimal; ' +
        'status must be one of draft, active, archived, not sold; stock must be a number such as 12, not many',
      'line 4: has 4 cells, but the header names 6 columns',
      'line 5: sku is required: an import identifies products by it',
      'line 6: has a quote inside an unquoted cell; put the cell in quotes and double the quotes in it',
      'line 7: price.amount must be a whole number from 0 to 9007199254740991, not 9007199254740993; ' +
        'stock must have at most 3 decimals, not 0.0001',
    ]);
    expect(output).to.equal('Read 10 lines: 3 added, 0 updated, 0 unchanged, 5 rejected.\n');
    const products = await storedProducts();
    expect(['B-1', 'B-6', 'B-7'].map((sku) => products.get(sku)?.stock)).to.deep.equal([null, 7125, 1000]);

    const lines = [
      '{"sku":"B-8"}',
      '{',
      '[]',
      '{"sku":"B-8","sku":"B-9"}',
      '{"sku":null,"name":"a","price":1,"colour":1}',
    ];
    const json = await importing(written('bad.jsonl', lines.join('\n')), '--json');
    expect(json.code).to.equal(3);
    const summary = JSON.parse(json.output);
    expect(summary).to.include({ added: 0, changed: 0, unchanged: 0, bad: 5, up_to_line: 5, done: true });
    expect(summary.bad_lines).to.deep.equal([
      {
        line: 1,
        reason: 'name is required for a new product; price is required for a new product',
      },
      { line: 2, reason: 'is not valid JSON' },
      { line: 3, reason: 'must be an object' },
      { line: 4, reason: 'has a name twice in one object' },
      { line: 5, reason: 'colour is unknown and must be removed; price must be an object' },
    ]);
  });

  it('reads standard input from a line on, and lets the later of two lines with one sku win', async () => {
    const line = (sku: string, name: string) =>
      `{"sku":"${sku}","name":"${name}","price":{"amount":1,"currency":"EUR"}}\n`;
    const input = line('C-1', 'passed over') + line('C-2', 'One') + line('C-2', 'Two') + line('C-3', 'Three');
    const words = ['import', 'products', '-', '--from-line', '2', '--json'];
    const { code, output } = await runHere(words, settings(), { input });
    expect(code).to.equal(0);
    expect(JSON.parse(output)).to.include({ added: 2, changed: 0, skipped: 1, up_to_line: 4 });
    const products = await storedProducts();
    expect([products.has('C-1'), products.get('C-2')?.name]).to.deep.equal([false, 'Two']);
  });

  it('stops where a quoted cell may continue', async () => {
    const rows = 'sku,name,price_amount,price_currency\n"X-1","5" pipe\nX-2,Tea,0,EUR\n",1,EUR\n';
    const { code, output, errors } = await importing(written('broken.csv', rows));
    expect([code, output]).to.deep.equal([1, '']);
    expect(errors).to.match(/^portico: line 2 has a quote inside a quoted cell .*\n$/);
    expect((await storedProducts()).has('X-2')).to.equal(false);
  });

  it('accepts a file without products', async () => {
    const none = await importing(written('none.csv', 'sku,name,price_amount,price_currency\n'));
    expect(none).to.include({ code: 0, errors: '' });
    expect(none.output).to.match(/^Read 0 lines: 0 added, /);
  });

  it('changes nothing when the header or the file name is wrong', async () => {
    const misspelt = await importing(written('columns.csv', 'sku;nmae\nA;Tea\n'));
    expect([misspelt.code, misspelt.output]).to.deep.equal([2, '']);
    expect(misspelt.errors).to.match(
      /^portico: The header has an unknown column "nmae"\. Known columns are sku, /,
    );
    const aFolder = await importing(folder());
    expect([aFolder.code, aFolder.errors]).to.deep.equal([
      2,
      `portico: ${folder()} is a folder. Name a file.\n`,
    ]);
    const { code, errors } = await importing(folder('nowhere.csv'));
    expect(code).to.equal(1);
    expect(errors).to.match(
      /^portico: \S+nowhere\.csv cannot be used: no such file or directory \(ENOENT\)\.\n$/,
    );
  });

  it('reads what an export has written, in both formats', async () => {
    await run('seed', '--products', '1200');
    const before = await storedProducts();
    for (const name of ['out.jsonl', 'out.csv']) {
      const exported = await run('export', 'products', folder(name));
      expect([exported.code, exported.output]).to.deep.equal([0, '']);
      const again = await importing(folder(name), '--json');
      expect(JSON.parse(again.output)).to.include({ added: 0, changed: 0, unchanged: before.size, bad: 0 });
      const format = name === 'out.csv' ? 'csv' : 'jsonl';
      const { output } = await run('export', 'products', '--format', format);
      expect(output).to.equal(readFileSync(folder(name), 'utf8'));
    }
    expect(await storedProducts()).to.deep.equal(before);
    expect(await run('seed', '--products', '1200', '--quiet')).to.deep.equal({
      code: 0,
      output: '0 products added, 1200 unchanged.\n',
      errors: '',
    });
  });

  it('is not undone by seed, which leaves existing products as they are', async () => {
    await run('seed', '--products', '5');
    const edited = '{"sku":"SEED-0000001","name":"Mine","price":{"amount":1,"currency":"EUR"},"stock":1}\n';
    await importing(written('edited.jsonl', edited));
    const before = (await storedProducts()).get('SEED-0000001');
    expect(before).to.include({ name: 'Mine', stock: 1000 });
    const { output } = await run('seed', '--products', '5', '--quiet');
    expect(output).to.equal('0 products added, 5 unchanged.\n');
    expect((await storedProducts()).get('SEED-0000001')).to.deep.equal(before);
  });
});
