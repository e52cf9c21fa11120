import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { createDoubtfulValues } from '#bootstrap/cli/import/doubtful-values.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { runHere } from '../../support/portico.ts';

describe('An import of a file that hides a loss', () => {
  const folder = temporaryFolder();
  const importing = (...words: readonly string[]) => runHere(['import', 'products', ...words], {});
  const written = (name: string, content: string): string => {
    writeFileSync(folder(name), content);
    return folder(name);
  };
  const checked = async (content: string, ...words: readonly string[]): Promise<string> =>
    (await importing(written('loss.csv', content), '--dry-run', ...words)).output;

  it('warns of tags and images beyond those that a product can have', async () => {
    const many = (count: number, item: (index: number) => string): string =>
      `"${Array.from({ length: count }, (_, index) => item(index)).join(', ')}"`;
    const tags = many(21, (index) => `Tag ${index}`);
    const images = many(11, (index) => `https://example.com/${index}.jpg`);
    const text = `SKU,Name,Regular price,Tags,Images\nA,Tea,1,${tags},${images}\nB,Mate,1,${tags},\n`;
    const warnings = await checked(text, '--preset', 'woocommerce', '--currency', 'EUR');
    expect(warnings).to.include('2 products have more than 20 tags: the first 20 are imported.\n');
    expect(warnings).to.include('1 product has more than 10 images: the first 10 are imported.\n');
    const shopify = 'Handle,Title,Variant SKU,Variant Price,Tags\ntea,Tea,A,1.00,"a, b"\n';
    expect(await checked(shopify, '--preset', 'shopify', '--currency', 'EUR')).to.not.include('are imported');
  });

  it('warns of an export in another language, whose drafts would become active', async () => {
    const german = 'Typ,Artikelnummer,Name,Veröffentlicht,Regulärer Preis\nsimple,A,Tee,-1,"12,90"\n';
    const names = ['--map', 'Artikelnummer=SKU', '--map', 'Regulärer Preis=Regular price'];
    const options = ['--preset', 'woocommerce', '--currency', 'EUR', ...names];
    const warnings = await checked(german, ...options);
    for (const [name, consequence] of [
      ['Type', 'what cannot be sold by itself is not left out'],
      ['Published', 'drafts and private products that are added become active'],
      ['Stock', 'the stock of products that are added is not counted'],
    ]) {
      expect(warnings).to.include(
        `The header has no column ${name}: ${consequence}. If the file has another name for it, use --map "THAT NAME=${name}".\n`,
      );
    }
    const mapped = await checked(
      german,
      ...options,
      '--map',
      'Typ=type',
      '--map',
      'Veröffentlicht=Published',
    );
    expect(mapped)
      .to.include('The header has no column Stock')
      .and.not.match(/no column (Type|Published)/);
    expect(mapped).to.match(/^A {4}Tee {3}12\.90 EUR {2}draft /m);
    const shopify = 'Handle,Title,Variant SKU,Variant Price\ntea,Tea,A,1.00\n';
    expect(await checked(shopify, '--preset', 'shopify', '--currency', 'EUR')).to.match(
      /^The header has no column Status: drafts that are added become active\..*\nThe header has no column Inventory quantity: /m,
    );
  });
});

describe('Values that a spreadsheet has ruined', () => {
  it('are in metadata numbers that it has rounded, and no dates', () => {
    const found = createDoubtfulValues();
    found.inspect(2, { sku: 'M1', metadata: { ean: '4,00638E+12', season: '2026-01-02', size: null } });
    expect(found.warnings()).to.have.lengthOf(1);
    expect(found.warnings()[0]).to.match(/^Check line 2: the metadata\.ean "4,00638E\+12" is a number that/);
  });

  it('are named line by line, and counted where there are many', () => {
    const found = createDoubtfulValues();
    for (let line = 2; line < 25; line += 1)
      found.inspect(line, { sku: line % 2 === 0 ? '2-Jan' : '4.1E+9' });
    found.inspect(25, { sku: 'TEA-1' });
    const warnings = found.warnings();
    expect(warnings).to.have.lengthOf(21);
    expect(warnings.slice(0, 2).map((line) => line.slice(0, 40))).to.deep.equal([
      ...['Check line 2: the sku "2-Jan" is a date,', 'Check line 3: the sku "4.1E+9" is a numb'],
    ]);
    expect(warnings.at(-1)).to.equal('Check 3 more lines like these.');
  });
});
