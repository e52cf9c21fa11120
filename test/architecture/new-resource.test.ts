import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

/** Names of resources as any file spells them, without case, hyphens and underscores. */
const reviews = 'review';
const stockChanges = 'stockchange';

/** What a file names of all resources that have events and requests, it names of the next one, too. */
const namedByLists: Readonly<Record<string, readonly string[]>> = {
  '{domain,application,adapters,bootstrap}/**/*.{ts,js}': [reviews, stockChanges, 'refund'],
  'test/**/*.ts': [reviews, stockChanges, 'refund', 'dispute', 'product'],
};

/** They are stories in which each of these happens, and no list of all. */
const stories = [
  'test/http/resources/each-store.suite.ts',
  'test/http/resources/event-data.test.ts',
  'test/lab/clients/retried-request.ts',
];

const wordsIn = (file: string): string => readFileSync(file, 'utf8').toLowerCase().replaceAll(/[-_]/g, '');

const guide = readFileSync('CONTRIBUTING.md', 'utf8');

/** The files of the table below "A new resource". */
const listed = (): readonly string[] => {
  const [, table = ''] = /^\*\*A new resource\*\*[^|]*((?:^\|.*\n)+)/m.exec(guide) ?? [];
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, path = '']) => path));
};

describe('The list of what a new resource needs', () => {
  it('has each file in which all resources with events and requests are named', () => {
    const found = Object.entries(namedByLists).flatMap(([pattern, names]) =>
      globSync(pattern, { exclude: ['**/node_modules/**', '**/migrations/**'] }).filter((file) =>
        names.every((name) => wordsIn(file).includes(name)),
      ),
    );
    const own = import.meta.filename;
    const others = found.filter((file) => !own.endsWith(file) && !stories.includes(file));
    expect(others).to.have.length.above(15);
    expect(others.filter((file) => !listed().includes(file)).toSorted()).to.deep.equal([]);
  });

  for (const [resource, plural, name] of [
    ['review', 'reviews', reviews],
    ['stock-change', 'stock-changes', stockChanges],
  ] as const) {
    it(`is what one has: ${resource}`, () => {
      const files = listed().map((path) => path.replace('coupons', plural).replace('coupon', resource));
      expect(files.length).to.be.above(25);
      expect(files.filter((file) => !existsSync(file))).to.deep.equal([]);
      const silent = files.filter((file) => /\.(ts|js|md)$/.test(file) && !wordsIn(file).includes(name));
      const exceptions = {
        review: [],
        // It shares the scopes of products, and the example of its POST creates it.
        'stock-change': ['domain/access.ts', 'test/http/routes/preparations.ts'],
      } as const;
      expect(silent.filter((file) => !exceptions[resource].some((each) => each === file))).to.deep.equal([]);
    });
  }
});
