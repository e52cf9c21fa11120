import { globSync, readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';

/** Text without case, hyphens, underscores and line breaks within comments, so that a term is found in a name, too. */
const wordsIn = (text: string): string => text.toLowerCase().replaceAll(/[-_\s*]/g, '');

const [, glossary = ''] = /^## Glossary\n([\s\S]*?)^## /m.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];

const rows = [...glossary.matchAll(/^\| ([^|`]+) \| ([^|]+) \| `([^`|]+)` \|$/gm)].map(
  ([, term = '', meaning = '', home = '']) => ({ term, meaning, home }),
);

/** The path and what it holds: a search of the tree finds a folder by its name. */
const textOf = (home: string): string =>
  home +
  (statSync(home).isFile() ? [home] : globSync(`${home.replace(/\/$/, '')}/**/*.ts`))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** Words of the field that a reader may search for, and that stand in the meaning of another term. */
const synonyms = [
  'settlement',
  'keyset pagination',
  '3-D Secure',
  'dispute',
  'projection',
  'extended query',
  'ETag',
];

describe('The glossary of CONTRIBUTING.md', () => {
  it('has a meaning and a home for each term, in the order of the alphabet', () => {
    const lines = glossary.match(/^\| /gm) ?? [];
    expect(rows.length).to.equal(lines.length - 1);
    const terms = rows.map(({ term }) => term);
    expect(terms).to.deep.equal(terms.toSorted());
  });

  for (const { term, home } of rows)
    it(`names a home in which a search finds the term: ${term}`, () => {
      expect(wordsIn(textOf(home))).to.include(wordsIn(term));
    });

  it('has the words that banks and databases use for the same', () => {
    const text = rows.map(({ meaning }) => meaning).join('\n');
    expect(synonyms.filter((word) => !text.includes(word))).to.deep.equal([]);
  });
});
