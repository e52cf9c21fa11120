import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Work } from '#application/ports/unit-of-work.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import type { Product } from '#domain/product.ts';
import { aProduct } from '../../../contracts/samples.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { type Ended, runHere } from '../../support/portico.ts';

const header = 'sku,name,price_amount,price_currency';

describe('An import of texts that people cannot see', () => {
  const folder = temporaryFolder();
  let shops = 0;
  let url: string;
  beforeEach(() => {
    shops += 1;
    url = `sqlite:${folder(`shop-${shops}.db`)}`;
  });

  const importing = (text: string, name = 'list.csv', ...options: readonly string[]): Promise<Ended> => {
    writeFileSync(folder(name), text);
    return runHere(['import', 'products', folder(name), ...options], { DATABASE_URL: url });
  };

  const inStore = async <T>(work: Work<T>): Promise<T> => {
    const store = await openStore(readConfig({ DATABASE_URL: url }).database);
    try {
      return await store.unitOfWork.run(work);
    } finally {
      await store.close();
    }
  };

  const stored = (): Promise<readonly Product[]> =>
    inStore(async ({ products }) => (await products.page({}, { limit: 100 })).rows);

  it('rejects them around a name and an sku, each with its line, and imports the others', async () => {
    const rows = [
      'A, Tea,1,EUR',
      'B,Tea\u00a0,1,EUR',
      '\u200bC,Tea,1,EUR',
      'D,"Tea\n",1,EUR',
      'E,T e a,1,EUR',
    ];
    const { code, output, errors } = await importing(`${header}\n${rows.join('\n')}\n`);
    expect(code).to.equal(3);
    expect(errors.trim().split('\n')).to.deep.equal([
      'line 2: name must not begin with a space',
      'line 3: name must not end with white space (U+00A0)',
      'line 4: sku must not begin with an invisible character (U+200B)',
      'line 5: name must not end with white space (U+000A)',
    ]);
    expect(output).to.equal('Read 7 lines: 1 added, 0 updated, 0 unchanged, 4 rejected.\n');
    expect((await stored()).map(({ sku }) => sku)).to.deep.equal(['E']);
  });

  it('rejects a name in which nothing is visible, also in JSON Lines', async () => {
    const line = (sku: string, name: string): string =>
      JSON.stringify({ sku, name, price: { amount: 1, currency: 'EUR' } });
    const text = `${line('A', '\u2060')}\n${line('\ufeff', '\u3164')}\n${line('C', '☕️')}\n`;
    const { code, errors } = await importing(text, 'list.jsonl');
    expect(code).to.equal(3);
    expect(errors.trim().split('\n')).to.deep.equal([
      'line 1: name must have a character that is visible',
      'line 2: name must have a character that is visible; sku must have a character that is visible',
    ]);
    expect((await stored()).map(({ name }) => name)).to.deep.equal(['☕️']);
  });

  it('reads the export of another shop, and names its columns as the file does', async () => {
    const text = 'SKU,Name,Regular price\nA,Tea ,1\nB\u200d,Mate,1\n';
    const { errors } = await importing(text, 'list.csv', '--preset', 'woocommerce', '--currency', 'EUR');
    expect(errors).to.include('line 2: name must not end with a space\n');
    expect(errors).to.include('line 3: sku must not end with an invisible character (U+200D)\n');
    const shopify = 'Handle,Title,Variant SKU,Variant Price\ntea,\u3000Tea,A,1\n';
    const { errors: others } = await importing(
      shopify,
      'list.csv',
      '--preset',
      'shopify',
      '--currency',
      'EUR',
    );
    expect(others).to.include('line 2: Title must not begin with white space (U+3000)\n');
  });

  it('is checked by a dry run, which shows what would be stored', async () => {
    const text = `${header}\nA,Tea\u2009,1,EUR\nCAFE\u0301,Coffee,1,EUR\n`;
    const { code, output, errors } = await importing(text, 'list.csv', '--dry-run', '--json');
    expect(code).to.equal(3);
    expect(errors).to.equal('line 2: name must not end with white space (U+2009)\n');
    const { products, bad, preview } = JSON.parse(output);
    expect([products, bad]).to.deep.equal([1, 1]);
    expect(preview[0].sku).to.equal('CAFÉ');
  });

  it('keeps an sku in NFC, and finds it in whatever form the file has', async () => {
    const [decomposed, composed] = ['cafe\u0301', 'café'].map((sku) => `${header}\n${sku},Coffee,1,EUR\n`);
    expect((await importing(decomposed ?? '')).output).to.include('1 added');
    for (const file of [decomposed, composed])
      expect((await importing(file ?? '')).output).to.include('1 unchanged');
    expect(await stored()).to.have.lengthOf(1);
    expect((await stored())[0]).to.include({ sku: 'café', version: 1 });
  });

  it('writes the last of the rows whose sku is the same in NFC', async () => {
    const file = `${header}\ncafe\u0301,First,1,EUR\ncafé,Second,1,EUR\ncafe\u0301,Third,1,EUR\n`;
    expect((await importing(file)).output).to.include(
      '1 added, 0 updated, 0 unchanged, 0 rejected, 2 skipped',
    );
    expect((await importing(file)).output).to.include('0 added, 0 updated, 1 unchanged');
    expect((await stored())[0]).to.include({ sku: 'café', name: 'Third', version: 1 });
  });

  it('keeps a valid row although a rejected one with the same sku comes later', async () => {
    const { code, output } = await importing(`${header}\nA,Tea,1,EUR\nA,Tea ,1,EUR\n`);
    expect(code).to.equal(3);
    expect(output).to.include('1 added, 0 updated, 0 unchanged, 1 rejected');
    expect((await stored())[0]).to.include({ sku: 'A', name: 'Tea' });
  });

  it('accepts values from before the rules when they are sent back, and finds them as they are', async () => {
    const earlier = { ...aProduct(), name: 'Tea ', sku: ' the\u0301' };
    await inStore(({ products }) => products.add(earlier));
    const again = await importing(`${header},stock\n the\u0301,Tea ,450,EUR,7\n`);
    expect([again.code, again.output]).to.deep.equal([
      0,
      'Read 2 lines: 0 added, 1 updated, 0 unchanged, 0 rejected.\n',
    ]);
    const { errors } = await importing(`${header}\n the\u0301,Tea  ,450,EUR\n`);
    expect(errors).to.equal('line 2: name must not end with a space\n');
    expect(await stored()).to.have.lengthOf(1);
    const { id, name, sku } = earlier;
    expect((await stored())[0]).to.include({ id, name, sku, stock: 7_000, version: 2 });
  });
});
