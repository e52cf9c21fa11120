import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtPackage, installPackage } from '../support/installed-package.ts';
import { strictestTypes } from '../support/strictest-types.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { blocksOf } from './code-blocks.ts';
import { runShell } from './project.ts';

describe('docs/adapters.md', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();

  it('has modules that compile with the strictest flags', async () => {
    const project = folder('adapters');
    await installPackage(await builtPackage(), project);
    const modules = blocksOf('docs/adapters.md').filter(({ language }) => language === 'ts');
    expect(modules).to.have.length.of.at.least(4);
    const names = modules.map(({ text }) => /^\/\/ ([\w.-]+\.ts)$/m.exec(text)?.[1] ?? '');
    expect(names).not.to.include('');
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    for (const [place, { text }] of modules.entries())
      await writeFile(join(project, names[place] ?? ''), text);
    const flags = ['--noEmit', '--allowImportingTsExtensions', '--module nodenext', '--types node'];
    const checked = ['node_modules/.bin/tsc', ...flags, ...strictestTypes, ...names].join(' ');
    expect(await runShell(project, checked)).to.equal('');
  });
});
