import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';

/** Names as any file spells them, without case, hyphens, underscores and spaces. */
const wordsIn = (file: string): string => readFileSync(file, 'utf8').toLowerCase().replaceAll(/[-_ ]/g, '');

const guide = readFileSync('CONTRIBUTING.md', 'utf8');

/** The files of the table below a heading such as "A field". */
const filesOf = (subject: string): readonly string[] => {
  const [, table = ''] = new RegExp(`^\\*\\*${subject}\\*\\*[^|]*((?:^\\|.*\\n)+)`, 'm').exec(guide) ?? [];
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, path = '']) => path));
};

/** A word of one that exists: each file of the table has it. A field of products is in all files that name both. */
const subjects: Readonly<Record<string, string>> = {
  'A field': 'quantitystep',
  'A filter': 'externalid',
  'A command': 'userslist',
  'A metric': 'porticowebhooklagevents',
  'A state of payments': 'requiresaction',
};

/** Files with some fields of products and not with each new one. */
const withSomeFields: readonly string[] = [
  'adapters/http/v1/order-items.ts',
  // What a PUT or an import empties, and what the command reports of it.
  'domain/emptied-fields.ts',
  'adapters/product-files/emptied.ts',
  'bootstrap/cli/import/emptied-text.ts',
  'bootstrap/cli/commands/import-products.ts',
  'bootstrap/demo/demo.ts',
];

describe('The tables of where to add something', () => {
  for (const [subject, word] of Object.entries(subjects))
    it(`name the places that have one: ${subject.toLowerCase()}`, () => {
      const files = filesOf(subject);
      expect(files.length).to.be.at.least(3);
      expect(files.filter((file) => !existsSync(file))).to.deep.equal([]);
      const silent = files.filter((file) => statSync(file).isFile() && !wordsIn(file).includes(word));
      expect(silent).to.deep.equal([]);
    });

  it('name each file in which the fields of products stand', () => {
    const listed = filesOf('A field');
    const found = globSync('{domain,application,adapters,bootstrap}/**/*.ts', { exclude: ['**/migrations'] });
    const holding = found.filter((file) =>
      ['quantitystep', 'taxrate'].every((word) => wordsIn(file).includes(word)),
    );
    const unnamed = holding.filter((file) => !listed.some((place) => file.startsWith(place)));
    expect(unnamed.filter((file) => !withSomeFields.includes(file))).to.deep.equal([]);
    expect(withSomeFields.filter((file) => !unnamed.includes(file))).to.deep.equal([]);
  });
});
