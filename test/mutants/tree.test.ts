import { expect } from 'chai';
import type { Mutant } from './list.ts';
import { Tree } from './tree.ts';

/** Tests that take no time, and the code that they test. */
const tests = { files: ['test/architecture/hidden-words.test.ts'], titles: 'The check for words' };
const file = 'test/architecture/hidden-words.ts';

describe('A copy of the code with a fault in it', function () {
  this.timeout(60_000);
  let tree: Tree;
  before(async () => {
    tree = await Tree.copy();
  });
  after(() => tree.remove());

  const verdictOn = (text: string, replacement: string) => {
    const mutant: Mutant = { name: 'a fault', file, text, replacement, tests: 'memory' };
    return tree.runWith(mutant, tests);
  };

  it('fails its tests, by the title of the first that fails', async () => {
    const verdict = await verdictOn('/gi;', '/g;');
    expect(verdict).to.include({ kind: 'failed' });
    expect(verdict)
      .to.have.property('title')
      .that.matches(/^The check for words .* in any case$/);
  });

  it('passes them when none of them notices', async () => {
    expect(await verdictOn('process.exitCode = 1', 'process.exitCode = 3')).to.include({ kind: 'passed' });
  });

  it('is told from one that cannot be loaded', async () => {
    const verdict = await verdictOn('const main =', 'const const main =');
    expect(verdict).to.include({ kind: 'broken' });
  });

  it('is unchanged afterwards', async () => {
    expect(await tree.run(tests)).to.include({ kind: 'passed' });
  });
});
