import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../../deploy/files.ts';
import { killAtExit } from '../../support/at-exit.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { ending, portico } from '../support/portico.ts';
import { freePort } from '../support/ports.ts';

/** Each start is a process, and the machine may be busy. */
const startTimeoutMs = 60_000;

/** The major version of a Node binary; infinite when it cannot run. */
const majorOf = (node: string): number => {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout.slice(1), 10) : Number.POSITIVE_INFINITY;
};

describe('The program portico', () => {
  const place = temporaryFolder();

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const ended = await ending(portico(['--version']));
    expect(ended).to.deep.equal({ code: 0, output: `${version}\n`, errors: '' });
  });

  it('reports a full output device in one line', function () {
    if (process.platform !== 'linux') this.skip();
    for (const words of ['help', 'openapi', 'openapi /dev/full']) {
      const line = `"${process.execPath}" bootstrap/portico.mjs ${words} >/dev/full; echo $? >&2`;
      const { stderr } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
      expect(stderr, words).to.match(
        /^portico: (standard output cannot be used: no space left on device \(ENOSPC\)|ENOSPC: [^\n]*)\.\n1\n$/,
      );
    }
  });

  /** Runs `portico keys lst` through a link on the PATH, with the given Node. */
  const runLinked = (node: string) => {
    const folder = place('bin');
    mkdirSync(folder);
    symlinkSync(join(root, 'bootstrap/portico.mjs'), join(folder, 'portico'));
    symlinkSync(node, join(folder, 'node'));
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    const { status, stdout, stderr } = spawnSync(join(folder, 'portico'), ['keys', 'lst'], {
      env,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    return { status, stdout, stderr };
  };
  const usageError = {
    status: 2,
    stdout: '',
    stderr: 'portico: keys needs a subcommand: create, list, update, revoke. Did you mean keys list?\n',
  };

  it('prints no warning of Node when both NO_COLOR and FORCE_COLOR are set', async () => {
    const settings = { NO_COLOR: '1', FORCE_COLOR: '1' };
    expect(await ending(portico(['help'], { settings }))).to.include({ code: 0, errors: '' });
  });

  it('runs through a symbolic link', () => {
    expect(runLinked(process.execPath)).to.deep.equal(usageError);
  });

  const olderNode = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => majorOf(node) < 24);
  const where = olderNode === undefined ? ' (skipped: no older Node here)' : '';
  it(`starts itself again on Node 24 when an older Node runs it${where}`, function () {
    if (olderNode === undefined) return this.skip();
    expect(runLinked(olderNode)).to.deep.equal(usageError);
  });

  it('ends the server on Node 24 even when the older process is killed', async function () {
    if (olderNode === undefined) return this.skip();
    this.timeout(3 * startTimeoutMs);
    const port = await freePort();
    const env = { DATABASE_URL: 'memory:', PORT: `${port}`, OPS_PORT: '0' };
    const launcher = spawn(olderNode, [join(root, 'bootstrap/portico.mjs'), 'start'], {
      env,
      stdio: 'ignore',
    });
    killAtExit(launcher);
    const isServed = (wanted: boolean) =>
      until(
        () =>
          fetch(`http://127.0.0.1:${port}/v1`).then(
            () => true,
            () => false,
          ),
        (served) => served === wanted,
        startTimeoutMs,
      );
    await isServed(true);
    launcher.kill('SIGKILL');
    await isServed(false);
  });
});
