import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const path =
  /`((?:domain|application(?!\/(?:json|merge-patch))|adapters|bootstrap|test|docs)\/[\w./{},*-]*)/g;

/** Paths that pages invent for examples. */
const isExample = (found: string): boolean => found.includes('coupon');

describe('The pages of the repository', () => {
  for (const file of globSync(['*.md', 'docs/**/*.md'])) {
    it(`name only files that exist: ${file}`, () => {
      const found = [...readFileSync(file, 'utf8').matchAll(path)].map(([, name = '']) => name);
      const missing = found.filter(
        (name) => !isExample(name) && !existsSync(name) && globSync(name).length === 0,
      );
      expect(missing).to.deep.equal([]);
    });
  }
});
