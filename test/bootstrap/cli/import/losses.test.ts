import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { temporaryFolder } from '../../../support/temporary.ts';
import { runHere } from '../../support/portico.ts';

const header = 'sku,name,price_amount,price_currency';

describe('An import of a file that hides a loss', () => {
  const folder = temporaryFolder();
  const importing = (...words: readonly string[]) => runHere(['import', 'products', ...words], {});
  const written = (name: string, content: string): string => {
    writeFileSync(folder(name), content);
    return folder(name);
  };
  const checked = async (content: string, ...words: readonly string[]): Promise<string> =>
    (await importing(written('loss.csv', content), '--dry-run', ...words)).output;

  it('warns of SKUs that a spreadsheet has rounded or made a formula', async () => {
    const rows = (sku: string): string =>
      `${header}\nA,Tea,1,EUR\n"${sku.replaceAll('"', '""')}",Mate,1,EUR\n`;
    for (const sku of ['4.00638E+12', '4,00638E+12', '1e+15']) {
      expect(await checked(rows(sku))).to.include(
        `Check line 3: the sku "${sku}" is a number that a spreadsheet has rounded. Format the column as text,`,
      );
    }
    expect(await checked(rows('="0007"'))).to.include(
      'Check line 3: the sku "=\\"0007\\"" is a formula of a spreadsheet. Save its value instead.\n',
    );
    for (const sku of ['4006381333931', 'E+5', '3E', 'A1E+05', '=7']) {
      expect(await checked(rows(sku)), sku).to.not.include('Check line');
    }
  });

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
