import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { parseDatabase } from '#bootstrap/config/database.ts';
import { Product, type ProductDetails } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { TaxRate } from '#domain/tax.ts';
import { noon } from '#test/contracts/samples.ts';
import { newId } from '../../../support/machine.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { type Ended, runHere } from '../../support/portico.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });

describe('An import over stored products', () => {
  const folder = temporaryFolder();
  let files = 0;
  let settings: { readonly DATABASE_URL: string };
  const run = (...words: readonly string[]): Promise<Ended> => runHere(words, settings);
  const written = (content: string, extension = 'csv'): string => {
    files += 1;
    const file = folder(`file-${files}.${extension}`);
    writeFileSync(file, content);
    return file;
  };
  const importing = (content: string, ...words: readonly string[]) =>
    run('import', 'products', written(content), ...words);

  /** Opens the database, which the first command has made. */
  const withProducts = async <T>(
    work: (products: readonly Product[], add: (list: readonly Product[]) => Promise<void>) => T,
  ): Promise<T> => {
    const database = parseDatabase(settings.DATABASE_URL);
    if (database === undefined) throw new TypeError('The settings name a database.');
    const store = await openStore(database);
    try {
      const { rows } = await store.unitOfWork.read(({ products }) => products.page({}, { limit: 100 }));
      return await work(rows, (list) => store.unitOfWork.run(({ products }) => products.addAll(list)));
    } finally {
      await store.close();
    }
  };
  const stored = (): Promise<readonly Product[]> => withProducts((products) => products);

  beforeEach(async () => {
    files += 1;
    settings = { DATABASE_URL: `sqlite:${folder(`shop-${files}.db`)}` };
    await run('migrate', 'up');
  });

  const add = (...list: readonly Partial<ProductDetails>[]) =>
    withProducts((_, addAll) =>
      addAll(
        list.map((details) =>
          Product.create(newId(), { ...Product.defaults, name: 'Tea', price: euros(450), ...details }, noon),
        ),
      ),
    );

  const awkward = ',;"\'\\\t\r\n =1+1 é 👩‍👩‍👧 \u202e {"a":null}';

  it('changes nothing with what an export has written, whatever the values are', async () => {
    await add(
      { sku: 'A', description: awkward, metadata: { 'a.B-c_9': awkward, 1: '', toString: '=1', Z: ' x ' } },
      {
        sku: 'B',
        taxRate: TaxRate.of(12.005),
        stock: Quantity.of(0.001),
        quantityStep: Quantity.of(0.25),
        tags: ['-', 'a-b', '0'],
        imageUrls: [
          ...['https://example.com/a,b,,https://example.com/c', 'https://example.com/w_1,h_2/é.jpg,'],
          ...['https://example.com/?a=1,2,,', 'https://example.com/"quoted"', "HTTPS://example.com/','"],
          ...['https://example.com/,http://x/', 'https://example.com/a;b|c', 'https://example.com/,'],
        ],
      },
      { sku: 'C', taxRate: TaxRate.of(0), status: 'draft', price: { amount: 1000, currency: 'KWD' } },
      { sku: 'D', taxRate: TaxRate.max, tags: Array.from({ length: 20 }, (_, index) => `tag-${index}`) },
    );
    const before = await stored();
    for (const name of ['out.jsonl', 'out.csv']) {
      expect((await run('export', 'products', folder(name))).code).to.equal(0);
      const again = await run('import', 'products', folder(name), '--json');
      expect(JSON.parse(again.output)).to.include({ added: 0, changed: 0, unchanged: 4, bad: 0, done: true });
      expect(await stored()).to.deep.equal(before);
    }
    const elsewhere = { DATABASE_URL: `sqlite:${folder(`elsewhere-${files}.db`)}` };
    expect((await runHere(['import', 'products', folder('out.csv')], elsewhere)).output).to.match(
      /: 4 added, /,
    );
    const copy = await runHere(['export', 'products', '--format', 'csv', '--quiet'], elsewhere);
    expect(copy.output).to.equal(readFileSync(folder('out.csv'), 'utf8'));
  });

  it('needs only the sku and what changes, and names the lines that are for no product', async () => {
    await add({ sku: 'A', metadata: { origin: 'Uji' } }, { sku: 'B', stock: Quantity.of(1) });
    const { code, output, errors } = await importing('sku,stock\nA,5\nB,1\nC,2\n');
    expect([code, output]).to.deep.equal([3, 'Read 4 lines: 0 added, 1 updated, 1 unchanged, 1 rejected.\n']);
    expect(errors).to.equal(
      'line 4: name is required for a new product; price is required for a new product\n',
    );
    const lines =
      '{"sku":"A","tags":["green"],"metadata":{"origin":null,"season":"May"}}\n{"sku":"C","stock":1}\n';
    const json = await run('import', 'products', written(lines, 'jsonl'), '--json');
    expect(JSON.parse(json.output)).to.deep.include({
      ...{ added: 0, changed: 1, unchanged: 0, bad: 1, done: true },
      bad_lines: [
        { line: 2, reason: 'name is required for a new product; price is required for a new product' },
      ],
    });
    const [first] = await stored();
    expect(first).to.deep.include({ tags: ['green'], metadata: { season: 'May' }, stock: 5000, version: 3 });
  });

  it('clears what an empty cell can clear, and keeps the rest', async () => {
    const whole: Partial<ProductDetails> = {
      ...{ sku: 'A', description: 'Green', status: 'draft', stock: Quantity.of(1), taxRate: TaxRate.of(10) },
      quantityStep: Quantity.of(1),
      ...{ tags: ['green'], imageUrls: ['https://example.com/'], metadata: { origin: 'Uji', season: 'May' } },
    };
    await add(whole);
    const header =
      'sku,name,price_amount,price_currency,description,status,stock,quantity_step,tax_rate,tags,image_urls,metadata,metadata.season';
    expect((await importing(`${header}\nA,,,,,,,,,,,,\n`, '--allow-uncounted')).output).to.match(
      / 1 updated, /,
    );
    expect((await stored())[0]).to.deep.include({
      ...{ ...whole, name: 'Tea', price: euros(450), description: null, stock: null, taxRate: null },
      quantityStep: null,
      ...{ tags: [], imageUrls: [], metadata: { origin: 'Uji' } },
    });
  });

  it('asks before an empty cell changes what is sold, and only where it would', async () => {
    const sold = { stock: Quantity.of(5), quantityStep: Quantity.of(1), taxRate: TaxRate.of(20) };
    await add({ sku: 'A', ...sold }, { sku: 'B', ...sold }, { sku: 'C' });
    const text = 'sku,stock,quantity_step,tax_rate\nA,,1,20\nB,5,,\nC,,,\n';
    const before = await stored();
    const advice =
      'Empty cells would change what is sold (stock no longer counted: 1, ordered in any quantity: 1, no tax shown: 1), ' +
      'so these lines were rejected. Write values, or add --allow-uncounted.\n';
    const asked = await importing(text);
    expect([asked.code, asked.output]).to.deep.equal([
      ...[3, 'Read 4 lines: 0 added, 0 updated, 1 unchanged, 2 rejected.\n'],
    ]);
    const reasons =
      'line 2: stock is empty, so the 5 in stock would no longer be counted\n' +
      'line 3: quantity_step is empty, so any quantity could be ordered; tax_rate is empty, so no tax would be shown\n';
    expect(asked.errors).to.equal(`${reasons}${advice}`);
    const tried = await importing(text, '--dry-run');
    expect([tried.code, tried.errors]).to.deep.equal([3, reasons]);
    expect(tried.output).to.contain(advice);
    expect(await stored()).to.deep.equal(before);
    const allowed = await importing(text, '--allow-uncounted');
    const counts = 'stock no longer counted: 1, ordered in any quantity: 1, no tax shown: 1';
    expect([allowed.code, allowed.output, allowed.errors]).to.deep.equal([
      ...[0, `Read 4 lines: 0 added, 2 updated, 1 unchanged, 0 rejected; ${counts}.\n`, ''],
    ]);
    expect((await stored()).map(({ stock, taxRate }) => [stock, taxRate])).to.deep.equal([
      ...[
        [null, TaxRate.of(20)],
        [5000, null],
        [null, null],
      ],
    ]);
  });

  it('asks the same of whole products, also before the import', async () => {
    await add({ sku: 'A', stock: Quantity.of(5) });
    const text = 'sku,name,price,currency,stock\nA,Tea,4.5,EUR,\nB,New,1,EUR,\n';
    const { output } = await importing(text, '--dry-run', '--json');
    expect(JSON.parse(output)).to.deep.include({ products: 1, bad: 1, emptied: { stock: 1 } });
    const imported = await importing(text, '--dry-run', '--allow-uncounted');
    expect(imported.output).to.match(
      /: 2 products, 0 rejected; stock no longer counted: 1\. Nothing was changed/,
    );
  });

  it('asks nothing about a null of JSON Lines, which is meant, but counts it', async () => {
    await add({ sku: 'A', stock: Quantity.of(5) });
    const { output } = await run('import', 'products', written('{"sku":"A","stock":null}\n', 'jsonl'));
    expect(output).to.equal(
      'Read 1 line: 0 added, 1 updated, 0 unchanged, 0 rejected; stock no longer counted: 1.\n',
    );
  });

  it('names each number that is new and was stored with zeros before it', async () => {
    await add({ sku: '00123' }, { sku: '0456' }, { sku: '456' });
    const rows = 'sku,name,price,currency\n123,Tea,1,EUR\n456,Tea,1,EUR\n789,Tea,1,EUR\n';
    const line =
      'Check line 2: the sku "123" is new, and "00123" exists. Spreadsheets take zeros away from the front of a number: format the column as text.\n';
    const tried = await importing(rows, '--dry-run');
    expect(tried.output).to.contain(line);
    const { output, errors } = await importing(rows);
    expect([output, errors]).to.deep.equal([
      ...['Read 4 lines: 2 added, 1 updated, 0 unchanged, 0 rejected.\n', line],
    ]);
  });

  it('of another shop is sold by the piece when it is added, and stays as it is when it exists', async () => {
    await add({ sku: 'B', quantityStep: null });
    const text = 'SKU,Name,Regular price,Stock\nA,Mug,9,1\nB,Tea,4.5,\nA,,,5\nC,Wool,3,2\nC,Wool,3.1,2\n';
    const options = ['--preset', 'woocommerce', '--currency', 'EUR'];
    const { output } = await run('import', 'products', written(text), ...options);
    expect(output).to.equal('Read 6 lines: 2 added, 1 updated, 1 unchanged, 0 rejected, 1 skipped.\n');
    const steps = (await stored()).map(({ sku, quantityStep, stock }) => [sku, quantityStep, stock]);
    expect(steps).to.have.deep.members([
      ['A', 1000, 5000],
      ['B', null, null],
      ['C', 1000, 2000],
    ]);
    const again = await run('import', 'products', written(text), ...options);
    expect(again.output).to.match(/: 0 added, 0 updated, /);
  });

  describe('with --dry-run', () => {
    it('reads the database for lines without a name or a price, and changes nothing', async () => {
      await add({ sku: 'A', name: 'Green tea', stock: Quantity.of(1) });
      const before = await stored();
      const text = 'sku,stock,name,price_amount,price_currency\nA,5,,,\nC,2,,,\nD,3,Mate,100,EUR\n';
      const { code, output, errors } = await importing(text, '--dry-run');
      expect(code).to.equal(3);
      expect(output.split('\n')).to.deep.equal([
        'SKU  NAME       PRICE     STATUS  STOCK',
        'A    Green tea  4.50 EUR  active  5',
        'D    Mate       1.00 EUR  active  3',
        'Read 4 lines: 2 products, 1 rejected. Nothing was changed.',
        '',
      ]);
      expect(errors).to.equal(
        'line 3: name is required for a new product; price_amount is required for a new product\n',
      );
      const json = JSON.parse((await importing(text, '--dry-run', '--json')).output);
      expect(json).to.deep.include({ products: 2, bad: 1 });
      expect(json.preview[0]).to.deep.equal({ sku: 'A', stock: 5 });
      expect(await stored()).to.deep.equal(before);
    });

    it('takes no product for stored where there is no database, and creates none', async () => {
      settings = { DATABASE_URL: `sqlite:${folder('nowhere.db')}` };
      const { code, errors } = await importing('sku,stock\nA,5\n', '--dry-run');
      expect(code).to.equal(3);
      expect(errors).to.match(/^line 2: name is required for a new product; /);
      expect(existsSync(folder('nowhere.db'))).to.equal(false);
    });

    it('says that it cannot read a database of another release', async () => {
      const database = new DatabaseSync(settings.DATABASE_URL.replace('sqlite:', ''));
      database.exec('delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations)');
      database.close();
      const { code, errors } = await importing('sku,stock\nA,5\n', '--dry-run');
      expect([code, errors]).to.deep.equal([
        1,
        'portico: DATABASE_URL names a database that cannot be read for the lines that depend on what is stored: ' +
          'its tables are of another release. Run portico migrate status.\n',
      ]);
      const whole = 'sku,name,price,currency\nA,Tea,1,EUR\n';
      expect((await importing(whole, '--dry-run')).code).to.equal(0);
    });

    it('knows a product of an earlier line', async () => {
      const text = 'sku,name,price,currency,stock\nN,Tea,1,EUR,3\nN,,,,5\n';
      const { code, output } = await importing(text, '--dry-run');
      expect(code).to.equal(0);
      expect(output).to.match(/^Read 3 lines: 2 products, 0 rejected\./m);
    });
  });

  it('writes of several lines with an sku what none of the later ones has', async () => {
    const text = [
      '{"sku":"N","name":"Tea","price":{"amount":1,"currency":"EUR"},"stock":3,"metadata":{"a":"1","b":"1"}}',
      '{"sku":"N","stock":5}',
      '{"sku":"N","metadata":{"a":"2"}}',
      '{"sku":"N","stock":6,"metadata":{"c":"3"}}',
      '',
    ].join('\n');
    const first = JSON.parse((await run('import', 'products', written(text, 'jsonl'), '--json')).output);
    expect(first).to.include({ added: 1, changed: 2, unchanged: 0, skipped: 1, bad: 0 });
    const [product] = await stored();
    expect(product).to.deep.include({ stock: 6000, metadata: { a: '2', b: '1', c: '3' } });
    const again = JSON.parse((await run('import', 'products', written(text, 'jsonl'), '--json')).output);
    expect(again).to.include({ added: 0, changed: 0, unchanged: 3, skipped: 1, bad: 0 });
    expect((await stored())[0]?.version).to.equal(product?.version);
  });
});
