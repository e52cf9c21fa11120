import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { needsProject, stepsOf } from './guide.ts';

describe('A guide', () => {
  it('says where its files belong before it shows one, and what is added to the package.json of npm', () => {
    const all = globSync('docs/guides/*.md').map((file) => [file, readFileSync(file, 'utf8')] as const);
    for (const [file, markdown] of all.filter(([, text]) => needsProject(text))) {
      expect(markdown, file).to.match(/^## Start a project$|^Work in a folder that has Portico/m);
      if (!markdown.includes('json package.json')) continue;
      expect(markdown, file).to.include('that npm has written:\n\n```json package.json');
    }
  });

  it('has a folder of its own for its project, beside those of the other guides', () => {
    const made = globSync('docs/guides/*.md').flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/^\$ mkdir (\S+)/gm),
    ]);
    const folders = made.map(([, folder]) => folder);
    expect(folders).to.have.length.above(3);
    expect(folders.toSorted()).to.deep.equal([...new Set(folders)].toSorted());
  });

  it('leaves few blocks that are not run', () => {
    const all = globSync('docs/guides/*.md').flatMap((file) => stepsOf(readFileSync(file, 'utf8')));
    const notRun = all.filter((step) => step.notRun !== undefined);
    expect(notRun.length).to.be.lessThan(all.length / 10);
  });
});
