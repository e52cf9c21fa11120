import { expect } from 'chai';
import { forEachCase } from '../support/for-each-case.ts';
import { linksOf, pages } from './repository-pages.ts';

/** The pages that lead a reader, by what the reader does. */
const leading = ['building-a-shop', 'owning-a-shop', 'running-a-shop', 'extending-portico'].map(
  (name) => `docs/${name}.md`,
);

const maxLines = 40;

const linkedFrom = (file: string): readonly string[] => linksOf(file).map(({ page }) => page);

/** All pages that a reader of one page gets to, link by link, within the docs. */
const reachableFrom = (start: string): ReadonlySet<string> => {
  const reached = new Set([start]);
  for (const file of reached)
    for (const page of linkedFrom(file)) if (page.startsWith('docs/')) reached.add(page);
  return reached;
};

describe('The page for a reader by role', () => {
  it('is short, has links in the order of reading, and leads to the others', () =>
    forEachCase(leading, (file) => {
      const text = pages.get(file) ?? '';
      expect(text.trimEnd().split('\n').length).to.be.within(10, maxLines);
      expect(text).to.match(/^1\. \*\*\[/m);
      expect(linkedFrom(file)).to.include.members(leading.filter((other) => other !== file));
    }));

  it('is linked from README', () => {
    expect(linkedFrom('README.md')).to.include.members(leading);
  });

  it('leads to every page of the docs, together with the others', () => {
    const docs = [...pages.keys()].filter((file) => file.startsWith('docs/'));
    expect(docs).to.have.length.above(60);
    const reached = new Set(leading.flatMap((file) => [...reachableFrom(file)]));
    expect(docs.filter((file) => !reached.has(file))).to.deep.equal([]);
  });

  it('names each guide itself, or a page that it names does', () => {
    const near = new Set(leading.flatMap((file) => [file, ...linkedFrom(file)]));
    const within = new Set([...near].flatMap((file) => [file, ...linkedFrom(file)]));
    const docs = [...pages.keys()].filter((file) => file.startsWith('docs/'));
    expect(docs.filter((file) => !within.has(file))).to.deep.equal([]);
    const guides = docs.filter((file) => file.startsWith('docs/guides/'));
    expect(guides.filter((file) => !near.has(file))).to.deep.equal([]);
  });
});
