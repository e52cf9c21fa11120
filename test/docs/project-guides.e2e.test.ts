import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { root } from '../lab/program.ts';
import { builtPackage } from '../support/installed-package.ts';
import { strictestTypes } from '../support/strictest-types.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { needsProject, projectScript, stepsOf } from './guide.ts';
import { openProject, runShell, testRules } from './project.ts';

const mark = '--- the next block ---';

describe('A guide with a project of its own', function () {
  // A guide runs the whole conformance kit on a store of its own, and browsers keep the machine busy meanwhile.
  this.timeout(400_000);
  const folder = temporaryFolder();
  let tarball: string;
  before(async () => {
    tarball = await builtPackage();
  });

  for (const file of globSync(join(root, 'docs/guides/*.md')).toSorted()) {
    const markdown = readFileSync(file, 'utf8');
    if (!needsProject(markdown)) continue;
    const name = basename(file, '.md');

    describe(name, () => {
      const project = (): string => folder(name);
      before(() => openProject(tarball, project(), markdown));

      it('does what it shows, pasted block by block', async () => {
        const port = await freePort();
        const ports = new Map([['3000', port]]);
        for (const shown of ['4010', '2525']) ports.set(shown, await freePort());
        const text = markdown.replaceAll(/(?<=:)3000\b|\b(?:4010|2525)\b/g, (shown) => `${ports.get(shown)}`);
        const script = projectScript(text, mark);
        const outputs = (await runShell(project(), script, port)).split(`${mark}\n`);
        const steps = stepsOf(markdown).filter(({ notRun }) => notRun === undefined);
        for (const [place, { command, expected }] of steps.entries()) {
          if (expected) expect(outputs[place]?.trim(), command).to.match(expected);
        }
      });

      if (!markdown.includes('json tsconfig.json')) return;
      it('has types that hold with the strictest flags, without skipLibCheck, and with a bundler', async () => {
        const bundler = '--module esnext --moduleResolution bundler';
        for (const options of [strictestTypes.join(' '), bundler])
          await runShell(project(), `node_modules/.bin/tsc --skipLibCheck false ${options}`);
      });

      if (!markdown.includes('portico/testing')) return;
      it('tests each rule', async () => {
        expect(await testRules(project())).not.to.deep.equal([]);
      });
    });
  }
});
