import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { blocksOf, commandsIn } from './code-blocks.ts';

const run = promisify(execFile);
const mark = '--- the next command ---';

describe('A command in the docs', () => {
  let server: Server | undefined;
  before(async function () {
    if (spawnSync('jq', ['--version']).status !== 0) return this.skip();
    server = await startServer({ DATABASE_URL: 'memory:', SEED_DEMO: '1', PAYMENT_TIMEOUT_MS: '1000' });
  });
  after(() => server?.program.kill());

  it('responds as docs/api.md shows, pasted with the variables of the page', async () => {
    const keyOf = (name: string): string =>
      new RegExp(`^ +${name} +(ptc_\\S+)$`, 'm').exec(server?.program.output ?? '')?.[1] ?? '';
    const blocks = blocksOf('docs/api.md');
    const variables = blocks
      .find(({ language }) => language === 'sh')
      ?.text.replace('http://127.0.0.1:3000', server?.client.base ?? '')
      .replace(/^KEY=ptc_…/m, `KEY=${keyOf('customer')}`)
      .replace(/^ADMIN=ptc_…/m, `ADMIN=${keyOf('admin')}`);
    const commands = blocks.flatMap(({ language, text }) => (language === '' ? commandsIn(text) : []));
    expect(commands).to.have.length.of.at.least(6);
    const script = [variables, ...commands.map(({ command }) => command)].join(`\necho '${mark}'\n`);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script]);
    const [, ...outputs] = stdout.split(`${mark}\n`);
    for (const [place, { command, output }] of commands.entries()) {
      const [first = ''] = (outputs[place] ?? '').split('\r\n');
      expect(output.startsWith('HTTP') ? first : first.slice(0, 1), command).to.equal(output);
      expect(outputs[place], command).not.to.include('NOT_FOUND');
    }
  });
});
