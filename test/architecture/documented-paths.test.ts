import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';

const path =
  /`((?:domain|application(?!\/(?:json|merge-patch))|adapters|bootstrap|test|docs)\/[\w./{},*-]*)/g;

/** Names of files without their folder, such as `exchanges.ts`, or with the last one, such as `sql/paging.ts`. */
const shortName = /`(?!\.)((?:[\w-]+\/)*[\w.-]+\.ts)`/g;

/** Paths that pages invent for examples. */
const isExample = (found: string): boolean => found.includes('coupon') || found.startsWith('x.');

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');

/** Pages about the code: they name its files, where guides also name those that a reader writes. */
const aboutTheCode = ['CONTRIBUTING.md', 'docs/adapters.md', ...globSync('docs/decisions/*.md')];

const code = globSync('{domain,application,adapters,bootstrap,test}/**/*', {
  exclude: ['**/node_modules'],
});

/** The folders that the layout names below each folder of the repository. */
const layout = (): Readonly<Record<string, readonly string[]>> => {
  const [, block = ''] = /## Layout\n+```\n([^`]*)```/.exec(contributing) ?? [];
  const parts = block
    .split(/^(?=\S)/m)
    .map((part) => [...part.matchAll(/[\w/-]+(?=\/)/g)].map(([name]) => name));
  return Object.fromEntries(parts.map(([top = '', ...below]) => [top, below]));
};

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

  for (const file of aboutTheCode)
    it(`name no file of the code by a name that it does not have: ${file}`, () => {
      const found = [...readFileSync(file, 'utf8').matchAll(shortName)].map(([, name = '']) => name);
      const missing = found.filter(
        (name) => !isExample(name) && !code.some((one) => `/${one}`.endsWith(`/${name}`)),
      );
      expect(missing).to.deep.equal([]);
    });

  it('draw a layout whose folders exist', () => {
    const missing = Object.entries(layout()).flatMap(([top, below]) =>
      below.filter((name) => globSync([`${top}/${name}/`, `${top}/*/${name}/`]).length === 0),
    );
    expect(missing).to.deep.equal([]);
    expect(Object.keys(layout())).to.include.members([
      'domain',
      'application',
      'adapters',
      'bootstrap',
      'test',
    ]);
  });

  for (const top of ['application', 'adapters', 'bootstrap'])
    it(`draw a layout with each folder of ${top}`, () => {
      const folders = globSync(`${top}/*/`).map((folder) => basename(folder));
      expect(folders.filter((folder) => !layout()[top]?.includes(folder))).to.deep.equal([]);
    });
});
