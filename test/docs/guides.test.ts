import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { needsProject, stepsOf } from './guide.ts';

const run = promisify(execFile);
const mark = '--- the next block ---';

describe('A guide', () => {
  let server: Server | undefined;
  before(async function () {
    if (spawnSync('jq', ['--version']).status !== 0) {
      process.stderr.write('The guides need jq: apt-get install jq.\n');
      this.skip();
    }
    // One second instead of ten for a provider that does not respond, and three for the last requests of an erased user.
    const times = { PAYMENT_TIMEOUT_MS: '1000', REQUEST_TIMEOUT_MS: '3000' };
    server = await startServer({ DATABASE_URL: 'memory:', SEED_DEMO: '1', ...times });
  });
  after(() => server?.program.kill());

  const keyOf = (name: string): string =>
    new RegExp(`^ +${name} +(ptc_\\S+)$`, 'm').exec(server?.program.output ?? '')?.[1] ?? '';

  /** Puts this server's address and keys into a block, as a reader would. */
  const withOwnKeys = (command: string): string =>
    command
      .replaceAll('http://127.0.0.1:3000', server?.client.base ?? '')
      .replaceAll('KEY=ptc_…', `KEY=${keyOf('customer')}`)
      .replaceAll('ADMIN=ptc_…', `ADMIN=${keyOf('admin')}`);

  for (const file of globSync('docs/guides/*.md').toSorted()) {
    const markdown = readFileSync(file, 'utf8');
    if (needsProject(markdown)) continue;
    const steps = stepsOf(markdown);
    const runnable = steps.filter(({ notRun }) => notRun === undefined);

    it(`does what it shows, pasted block by block: ${basename(file, '.md')}`, async function () {
      this.timeout(60_000);
      expect(runnable.length).to.be.greaterThan(1);
      const script = runnable.map(({ command }) => withOwnKeys(command)).join(`\necho '${mark}'\n`);
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { timeout: 50_000 });
      const responses = stdout.split(`${mark}\n`);
      for (const [place, { command, expected }] of runnable.entries()) {
        if (expected) expect(responses[place]?.trim(), command).to.match(expected);
      }
    });
  }

  it('leaves few blocks that are not run', () => {
    const all = globSync('docs/guides/*.md').flatMap((file) => stepsOf(readFileSync(file, 'utf8')));
    const notRun = all.filter((step) => step.notRun !== undefined);
    expect(notRun.length).to.be.lessThan(all.length / 10);
  });
});
