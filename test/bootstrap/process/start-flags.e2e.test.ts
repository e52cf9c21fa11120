import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../../deploy/files.ts';
import { killAtExit } from '../../support/at-exit.ts';
import { startFlags } from '../../support/start-flags.ts';
import { startTraced } from '../support/traced-server.ts';

describe('The flags of Node', () => {
  const isOld = (node: string): boolean => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 24) < 24;
  };
  const olderNode =
    process.platform === 'linux' ? ['/usr/bin/node', '/usr/local/bin/node'].find(isOld) : undefined;
  const skipped = olderNode === undefined ? ' (skipped: this machine has none)' : '';
  it(`are passed on when an older Node hands over to Node 24${skipped}`, async function () {
    if (olderNode === undefined) return this.skip();
    const child = spawn(olderNode, [...startFlags, join(root, 'bootstrap/portico.mjs'), 'start'], {
      env: { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    killAtExit(child);
    await once(child.stdout, 'data');
    const [node24 = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
    const started = readFileSync(`/proc/${node24}/cmdline`, 'utf8').split('\0');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(started[0]).to.equal(join(root, 'node_modules/node/bin/node'));
    expect(started.slice(1, 1 + startFlags.length)).to.deep.equal(startFlags);
  });
});

describe('A server as npm start has it', () => {
  it('starts with everything in the young generation: V8 pretenures nothing', async () => {
    const { program, decisions, send } = await startTraced(startFlags);
    await send(1_000);
    await program.kill();
    expect(decisions()).to.equal(0);
  });

  it('would see V8 pretenure without the flag', async () => {
    const { program, decisions } = await startTraced([]);
    await program.kill();
    expect(decisions()).to.be.greaterThan(0);
  });
});
