import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { root } from '../lab/program.ts';
import { builtPackage } from '../support/installed-package.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { projectScript } from './guide.ts';
import { openProject, runShell, testRules } from './project.ts';

/** Far from a few milliseconds for a test of a rule. */
const maxMs = 100;

/** Another program may delay a run. */
const runs = 5;

describe('The guide that tests a rule in milliseconds', function () {
  this.timeout(400_000);
  const folder = temporaryFolder();

  it('has tests of which each takes less than a tenth of a second', async () => {
    const markdown = readFileSync(join(root, 'docs/guides/test-a-rule.md'), 'utf8');
    await openProject(await builtPackage(), folder('project'), markdown);
    const port = await freePort();
    await runShell(folder('project'), projectScript(markdown.replaceAll(/:3000\b/g, `:${port}`), ''), port);
    const leastMs = new Map<string, number>();
    for (let run = 0; run < runs; run += 1)
      for (const { name, milliseconds } of await testRules(folder('project')))
        leastMs.set(name, Math.min(milliseconds, leastMs.get(name) ?? Number.POSITIVE_INFINITY));
    expect(leastMs.size).to.be.greaterThan(0);
    expect([...leastMs].filter(([, milliseconds]) => milliseconds >= maxMs)).to.deep.equal([]);
  });
});
