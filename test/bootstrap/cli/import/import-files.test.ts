import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { temporaryFolder } from '../../../support/temporary.ts';
import { type Ended, runHere } from '../../support/portico.ts';

const header = 'sku,name,price_amount,price_currency';

describe('An import of a file', () => {
  const folder = temporaryFolder();
  const settings = () => ({ DATABASE_URL: `sqlite:${folder('shop.db')}` });
  const run = (...words: readonly string[]): Promise<Ended> => runHere(words, settings());
  const importing = (...words: readonly string[]) => run('import', 'products', ...words);

  const written = (name: string, content: string | Uint8Array): string => {
    writeFileSync(folder(name), content);
    return folder(name);
  };

  const stored = async (): Promise<Map<string, { name: string; price: object }>> => {
    const { output } = await run('export', 'products', '--quiet');
    const lines = output.split('\n').filter((line) => line !== '');
    return new Map(lines.map((line) => JSON.parse(line)).map((product) => [product.sku, product]));
  };

  describe('that is broken at some line', () => {
    const broken = `${header}\nB-1,Ok,100,EUR\nB-2,"Inch 19" rack",100,EUR\nB-3,Never,100,EUR\n`;

    it('imports the rows before it, says what was read, and how to go on', async () => {
      const file = written('broken.csv', broken);
      const { code, output, errors } = await importing(file);
      expect([code, output]).to.deep.equal([
        1,
        'Read 2 lines: 1 added, 0 updated, 0 unchanged, 0 rejected.\n',
      ]);
      expect(errors.split('\n')).to.deep.equal([
        'portico: line 3 has a quote inside a quoted cell that is not doubled. Nothing from there on was read, as it ' +
          'could be the inside of a cell. Fix the line and try again.',
        `To continue, run: portico import products ${file} --from-line 3`,
        '',
      ]);
      written('broken.csv', broken.replace('"Inch 19" rack"', '"Inch 19"" rack"'));
      expect((await importing(file, '--from-line', '3')).output).to.match(/^Read 2 lines: 2 added, /);
      expect((await stored()).get('B-2')?.name).to.equal('Inch 19" rack');
    });

    it('prints the summary as JSON, also when nothing was read', async () => {
      const { code, output } = await importing(written('broken.csv', broken), '--json');
      expect(code).to.equal(1);
      expect(JSON.parse(output)).to.deep.equal({
        ...{ added: 0, changed: 0, unchanged: 1, bad: 0, skipped: 0, emptied: {}, up_to_line: 2 },
        ...{ bad_lines: [], warnings: [] },
        done: false,
      });
      const first = written('first.csv', `${header}\nB-9,"Rack 19" deep",1,EUR\n`);
      const { output: nothing, errors } = await importing(first, '--json');
      expect(JSON.parse(nothing)).to.include({ added: 0, up_to_line: 0, done: false });
      expect(errors).to.match(/^portico: line 2 has a quote inside a quoted cell/);
    });

    it('reports the rejected rows before it, too', async () => {
      const text = `${header}\nB-4,,100,EUR\n,,,\nB-5,Ok,100,EUR\nB-6,"never closed,1,EUR\n`;
      const { output, errors } = await importing(written('open.csv', text));
      expect(output).to.equal('Read 4 lines: 1 added, 0 updated, 0 unchanged, 1 rejected.\n');
      expect(errors).to.match(
        /^line 2: name is required for a new product\nportico: line 5 opens a quote that is never closed\./,
      );
      expect((await stored()).has('B-5')).to.equal(true);
    });
  });

  it('has its control characters escaped in the report', async () => {
    const input = '{"sku":"A","\\u001b[2J\\nline 7: all is well":1}\n';
    const words = ['import', 'products', '-', '--quiet'];
    const { code, errors } = await runHere(words, settings(), { input });
    expect(code).to.equal(3);
    expect(errors).to.match(
      /^line 1: [^\n]*\\u001b\[2J\\u000aline 7: all is well is unknown and must be removed[^\n]*\n$/,
    );
  });

  describe('that has an sku twice', () => {
    const row = (sku: string, name: string): string =>
      `${JSON.stringify({ sku, name, price: { amount: 1, currency: 'EUR' } })}\n`;
    /** More than one batch between the two. */
    const between = Array.from({ length: 700 }, (_, index) => row(`T-${index}`, 'Tea')).join('');

    const versionOf = async (sku: string): Promise<unknown> => {
      const { openStore } = await import('#bootstrap/composition/ports/open-store.ts');
      const { parseDatabase } = await import('#bootstrap/config/database.ts');
      const database = parseDatabase(settings().DATABASE_URL);
      if (database === undefined) throw new TypeError('The settings name a database.');
      const store = await openStore(database);
      const found = await store.unitOfWork.read(({ products }) => products.findBy('sku', [sku]));
      await store.close();
      return [found[0]?.name, found[0]?.version];
    };

    it('writes the later row alone, and changes nothing the second time', async () => {
      const file = written('twice.jsonl', `${row('TWICE', 'first')}${between}${row('TWICE', 'second')}`);
      const first = await importing(file);
      expect(first.output).to.equal(
        'Read 702 lines: 701 added, 0 updated, 0 unchanged, 0 rejected, 1 skipped.\n',
      );
      expect(first.errors).to.equal('Skipped line 1: a later row has the same sku.\n');
      for (let times = 0; times < 2; times += 1) {
        const again = JSON.parse((await importing(file, '--json')).output);
        expect(again).to.include({ added: 0, changed: 0, unchanged: 701, skipped: 1, done: true });
      }
      expect(await versionOf('TWICE')).to.deep.equal(['second', 1]);
    });

    it('does so from standard input, three times, and in neighbouring lines', async () => {
      const input = `${row('PIPE', 'a')}${row('PIPE', 'b')}${between}${row('PIPE', 'c')}`;
      const words = ['import', 'products', '-', '--json'];
      const { output } = await runHere(words, settings(), { input });
      expect(JSON.parse(output)).to.include({ added: 1, changed: 0, unchanged: 700, skipped: 2 });
      expect(await versionOf('PIPE')).to.deep.equal(['c', 1]);
    });

    it('writes the earlier row when the later one is invalid', async () => {
      const bad = '{"sku":"HALF","name":"","price":{"amount":1,"currency":"EUR"}}\n';
      const { code, output } = await importing(written('half.jsonl', row('HALF', 'good') + bad));
      expect([code, output]).to.deep.equal([
        3,
        'Read 2 lines: 1 added, 0 updated, 0 unchanged, 1 rejected.\n',
      ]);
      expect(await versionOf('HALF')).to.deep.equal(['good', 1]);
    });
  });

  describe('with --dry-run', () => {
    const nowhere = () => ({ DATABASE_URL: `sqlite:${folder('none.db')}` });
    const text = 'SKU;Name;Price;Farbe\nA;Tea;12,90;rot\nB;;1;\nA;Green tea;13;\n;;;\nC;Mate;0,5;\n';
    const words = ['import', 'products', '--dry-run', '--currency', 'EUR', '--ignore-unknown'];

    it('shows the first products and what is left out, and creates no database', async () => {
      const { code, output, errors } = await runHere([...words, written('dry.csv', text)], nowhere());
      expect(code).to.equal(3);
      expect(output.split('\n')).to.deep.equal([
        'Skipped line 2: a later row has the same sku.',
        'Ignored 1 column: Farbe.',
        'SKU  NAME       PRICE      STATUS  STOCK',
        'A    Green tea  13.00 EUR  active  not counted',
        'C    Mate       0.50 EUR   active  not counted',
        'Read 6 lines: 2 products, 1 rejected, 1 skipped. Nothing was changed.',
        '',
      ]);
      expect(errors).to.equal('line 3: name is required for a new product\n');
      expect(existsSync(folder('none.db'))).to.equal(false);
    });

    it('prints JSON', async () => {
      const { output } = await runHere([...words, written('dry.csv', text), '--json'], nowhere());
      expect(JSON.parse(output)).to.deep.equal({
        ...{ dry_run: true, products: 2, bad: 1, skipped: 1, emptied: {}, up_to_line: 6 },
        warnings: [],
        bad_lines: [{ line: 3, reason: 'name is required for a new product' }],
        done: true,
        ignored_columns: ['Farbe'],
        preview: [
          { sku: 'A', name: 'Green tea', price: { amount: 1300, currency: 'EUR' } },
          { sku: 'C', name: 'Mate', price: { amount: 50, currency: 'EUR' } },
        ],
      });
    });

    it('reports a file that is broken', async () => {
      const file = written('dry-broken.csv', `${header}\nA,Tea,1,EUR\nB,"19" rack",1,EUR\n`);
      const { code, output } = await runHere(['import', 'products', file, '--dry-run'], nowhere());
      expect(code).to.equal(1);
      expect(output).to.match(/Read 2 lines: 1 product, 0 rejected\. Nothing was changed\.\n$/);
    });
  });

  describe('with options that do not fit', () => {
    const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
      [
        ['a.jsonl', '--preset', 'shopify'],
        /^portico: --preset is for CSV files, and this is JSON Lines\.\n$/,
      ],
      [['-', '--format', 'jsonl', '--decimal'], /^portico: --decimal is for CSV files/],
      [['a.csv', '--preset', 'shopify', '--decimal'], /^portico: --preset knows how prices are written/],
      [['a.csv', '--preset', 'magento'], /^portico: --preset must be one of woocommerce, shopify\.\n$/],
      [['a.csv', '--map', 'Price'], /^portico: --map must be a column of the file, = and a name, such as /],
      [['a.csv', '--currency', 'EURO'], /^portico: --currency must be an ISO 4217 code, such as EUR\.\n$/],
      [['a.csv', '--decimal=point'], /^portico: --decimal must be one of dot, comma\.\n$/],
      [['a.csv', '--encoding', 'ansi'], /^portico: --encoding must be an encoding such as utf-8, /],
      [['a.csv', '--json', '--json'], /^portico: --json is given twice\.\n$/],
    ];
    it('is rejected with the reason', async () => {
      for (const [words, message] of mistakes) {
        const { code, errors } = await importing(...words);
        expect(code, words.join(' ')).to.equal(2);
        expect(errors).to.match(message);
      }
    });
  });

  it('repeats its options in the command that continues it', async () => {
    const file = written('more.txt', 'Nr;name;Preis\nM-1;Tea;12,90\nM-2;"5" pipe";1\n');
    const words = ['--map', 'Nr=sku', '--map', 'Preis=price', '--currency', 'eur', '--encoding', 'utf-8'];
    const { errors } = await importing(file, ...words);
    expect(errors).to.match(
      /\nTo continue, run: portico import products \S+more\.txt --from-line 3 --map 'Nr=sku' --map 'Preis=price' --currency EUR --encoding utf-8\n$/,
    );
  });

  describe('that an export has written for Excel', () => {
    it('has a byte order mark, and comes back unchanged', async () => {
      await importing(written('cafe.csv', `${header}\nX-1,Café,1,EUR\nX-2,=1+1,1,EUR\n`));
      const plain = await run('export', 'products', folder('plain.csv'));
      expect(plain.errors.split('\n').slice(1)).to.deep.equal([
        'Excel would misread letters such as é in this file. Export with --bom for Excel.',
        'A spreadsheet would run a cell of this file as a formula. Open the file as text.',
        '',
      ]);
      const marked = await run('export', 'products', folder('marked.csv'), '--bom');
      expect(marked.errors).not.to.include('Excel');
      const text = readFileSync(folder('marked.csv'), 'utf8');
      expect(text).to.equal(`\ufeff${readFileSync(folder('plain.csv'), 'utf8')}`);
      const again = await importing(folder('marked.csv'), '--json');
      expect(JSON.parse(again.output)).to.include({ added: 0, changed: 0, bad: 0, done: true });
    });

    it('is noticed when it comes back with other letters', async () => {
      const text = `${header}\nW-1,SÃO TOMÉ,1,EUR\nW-2,CafÃ©,1,EUR\nW-3,Bakerâ€™s,1,EUR\n`;
      const { code, errors } = await importing(written('misread.csv', text));
      expect([code, errors]).to.deep.equal([
        0,
        'Check line 3: "CafÃ©" looks as if its letters were read in the wrong encoding. ' +
          'Export with --bom for Excel, or import with --encoding.\n',
      ]);
    });

    it('is CSV', async () => {
      expect(await run('export', 'products', folder('a.jsonl'), '--bom')).to.include({
        code: 2,
        errors: 'portico: --bom is for CSV. Add --format csv.\n',
      });
    });
  });
});
