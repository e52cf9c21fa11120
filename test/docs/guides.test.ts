import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { stepsOf } from './guide.ts';

const run = promisify(execFile);
const mark = '--- the next block ---';

describe('A guide', () => {
  let server: Server;
  before(async () => {
    // A reader waits ten seconds for a provider that does not answer; here one is enough.
    server = await startServer({ DATABASE_URL: 'memory:', SEED_DEMO: '1', PAYMENT_TIMEOUT_MS: '1000' });
  });
  after(() => server.program.kill());

  const keyOf = (name: string): string =>
    new RegExp(`^ +${name} +(ptc_\\S+)$`, 'm').exec(server.program.output)?.[1] ?? '';

  /** What a reader makes of a block: their own server, and their own keys. */
  const asOurs = (command: string): string =>
    command
      .replaceAll('http://127.0.0.1:3000', server.client.base)
      .replaceAll('KEY=ptc_…', `KEY=${keyOf('customer')}`)
      .replaceAll('ADMIN=ptc_…', `ADMIN=${keyOf('admin')}`);

  for (const file of globSync('docs/guides/*.md').toSorted()) {
    const steps = stepsOf(readFileSync(file, 'utf8'));
    const runnable = steps.filter(({ notRun }) => notRun === undefined);

    it(`does what it says, pasted block by block: ${basename(file, '.md')}`, async () => {
      expect(runnable.length).to.be.greaterThan(1);
      const script = runnable.map(({ command }) => asOurs(command)).join(`\necho '${mark}'\n`);
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { timeout: 15_000 });
      const answers = stdout.split(`${mark}\n`);
      for (const [place, { command, expected }] of runnable.entries()) {
        if (expected) expect(answers[place]?.trim(), command).to.match(expected);
      }
    });
  }

  it('leaves few blocks to be believed', () => {
    const all = globSync('docs/guides/*.md').flatMap((file) => stepsOf(readFileSync(file, 'utf8')));
    const believed = all.filter(({ notRun }) => notRun !== undefined);
    expect(believed.length).to.be.lessThan(all.length / 10);
  });
});
