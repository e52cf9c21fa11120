import { expect } from 'chai';
import { Runner } from './runner.ts';

/** Tests that take no time, and the code that they test. */
const tests = { files: ['test/architecture/hidden-words.test.ts'], titles: 'The check for words' };
const file = 'test/architecture/hidden-words.ts';

describe('Tests of code with a fault in it', () => {
  const runner = new Runner();
  after(() => runner.close());

  const runWith = (text: string, replacement: string, by = runner) =>
    by.run({ ...tests, fault: { name: 'a fault', file, text, replacement }, timeoutMs: 5_000 });

  it('fail, and are named by the title of the first that does', async () => {
    const outcome = await runWith('/gi;', '/g;');
    expect(outcome).to.include({ kind: 'failed', isTimeout: false });
    expect(outcome)
      .to.have.property('title')
      .that.matches(/^The check for words .* in any case$/);
  });

  it('pass when none of them notices', async () => {
    expect(await runWith('process.exitCode = 1', 'process.exitCode = 3')).to.include({ kind: 'passed' });
  });

  it('say so when it cannot be loaded', async () => {
    expect(await runWith('const main =', 'const const main =')).to.include({ kind: 'broken' });
  });

  it('are stopped when they hang', async () => {
    const hurried = new Runner(2_000);
    const outcome = await runWith('const main =', 'for (;;);\nconst main =', hurried);
    expect(outcome).to.deep.equal({ kind: 'hung' });
  });

  it('draw from the seed, as they do elsewhere', async () => {
    const seeded = { files: ['test/support/seed.test.ts'], titles: 'The seed of what tests draw' };
    expect(await runner.run({ ...seeded, timeoutMs: 5_000 })).to.include({ kind: 'passed' });
  });

  it('pass without it afterwards', async () => {
    expect(await runner.run({ ...tests, timeoutMs: 5_000 })).to.include({ kind: 'passed' });
  });
});
