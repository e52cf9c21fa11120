import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, textOf } from '../../deploy/files.ts';
import { closedLoad } from '../../load/load.ts';
import { requestBytes } from '../../load/request.ts';
import { Tally } from '../../load/tally.ts';
import { startFlags } from '../../support/start-flags.ts';
import { startServer } from '../support/server.ts';

/** Every command line that serves starts Node with these. */
const servingFlags = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
];

/** The command lines that must be there. The other files may hold some. */
const places: Readonly<Record<string, RegExp>> = {
  'package.json, npm start': /"start": "exec (node .*bootstrap\/main\.mjs)"/,
  'package.json, npm run portico': /"portico": "exec (node .*bootstrap\/portico\.mjs)"/,
  Dockerfile: /^ENTRYPOINT \[(.*)\]$/m,
  'docs/deploy/portico.service': /^ExecStart=(.*)$/m,
  'docs/operations.md': /^ *(node .*\\\n.*bootstrap\/main\.mjs)$/m,
  'bootstrap/portico.mjs': /^#!\/usr\/bin\/env -S (node .*)$/m,
};

const lineIn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

/** The words of a command line, however its file quotes and continues them. */
const words = (line: string): readonly string[] => line.split(/[\s",\\]+/).filter((word) => word !== '');

const missingIn = (line: string): readonly string[] =>
  servingFlags.filter((flag) => !words(line).includes(flag));

/** Whatever a reader could copy: command lines that run Node on one of the two programs, and serve. */
const servingLinesIn = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /\bnode["' ].*bootstrap\/(main\.mjs|portico\.mjs["' ]*(start|$))/.test(line));

const files = [
  'README.md',
  'CONTRIBUTING.md',
  'Dockerfile',
  'compose.yaml',
  'package.json',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|service|yaml|conf|cfg|example)$/.test(name))
    .map((name) => `docs/${name}`),
];

describe('The flags of Node', () => {
  for (const [place, pattern] of Object.entries(places)) {
    const [file = ''] = place.split(',');

    it(`are all on the command line in ${place}`, () => {
      const line = lineIn(textOf(file), pattern);
      expect(line).not.to.equal('');
      expect(missingIn(line)).to.deep.equal([]);
    });

    it(`are missed in ${place} when one is not there`, () => {
      for (const flag of servingFlags) {
        const line = lineIn(textOf(file).replaceAll(flag, '--no-warnings'), pattern);
        expect(missingIn(line)).to.deep.equal([flag]);
      }
    });
  }

  it('are on every other command line that serves, too', () => {
    const lines = files.flatMap((file) => servingLinesIn(textOf(file)).map((line) => ({ file, line })));
    expect(lines.map(({ file }) => file)).to.include.members(['package.json', 'docs/operations.md']);
    expect(lines.filter(({ line }) => missingIn(line).length > 0)).to.deep.equal([]);
  });

  it('are those with which the tests, the trials and the benchmark start servers', () => {
    expect(startFlags).to.deep.equal(servingFlags);
  });

  const isOld = (node: string): boolean => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 24) < 24;
  };
  const olderNode =
    process.platform === 'linux' ? ['/usr/bin/node', '/usr/local/bin/node'].find(isOld) : undefined;
  const skipped = olderNode === undefined ? ' (skipped: this machine has none)' : '';
  it(`are passed on when an older Node hands over to Node 24${skipped}`, async function () {
    if (olderNode === undefined) return this.skip();
    this.timeout(60_000);
    const child = spawn(olderNode, [...servingFlags, join(root, 'bootstrap/portico.mjs'), 'start'], {
      env: { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    const [node24 = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
    const started = readFileSync(`/proc/${node24}/cmdline`, 'utf8').split('\0');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(started[0]).to.equal(join(root, 'node_modules/node/bin/node'));
    expect(started.slice(1, 1 + servingFlags.length)).to.deep.equal(servingFlags);
  });
});

const key = 'the-key-of-an-operator-that-is-long-enough';

/** V8 prints each decision to allocate the objects of one place in the old generation. */
const startTraced = async (flags: readonly string[]) => {
  const environment = { DATABASE_URL: 'memory:', ADMIN_API_KEY: key };
  const { program } = await startServer(environment, [...flags, '--trace-pretenuring-statistics']);
  const decisions = (): number => program.output.split('pretenuring: AllocationSite').length - 1;
  return { program, decisions };
};

describe('A server as npm start has it', function () {
  this.timeout(60_000);

  it('allocates everything in the young generation: V8 pretenures nothing', async () => {
    const { program, decisions } = await startTraced(startFlags);
    const [, port] = /^Portico serves \S+:(\d+)\//m.exec(program.output) ?? [];
    const request = requestBytes('GET', '/v1/products', { Authorization: `Bearer ${key}` });
    const tally = new Tally();
    const load = { port: Number(port), connections: 8, tally, next: () => request };
    await closedLoad({ ...load, shouldContinue: (sent) => sent < 50_000 });
    await program.kill();
    expect(tally.count((status) => status === 200)).to.equal(50_000);
    expect(decisions()).to.equal(0);
  });

  it('would see V8 pretenure without the flag', async () => {
    const { program, decisions } = await startTraced([]);
    await program.kill();
    expect(decisions()).to.be.greaterThan(0);
  });
});
