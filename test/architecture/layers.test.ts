import { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rejectionOf } from '../contracts/harness.ts';
import { forEachCase } from '../support/for-each-case.ts';
import {
  absentPrograms,
  currentLayer,
  databasePrograms,
  enterLayer,
  type Layer,
  layerOf,
  leaveLayer,
  takeBreach,
  widestOf,
} from '../support/layers.ts';
import { freshMariaDb } from '../support/mariadb.ts';
import { freshDatabase } from '../support/postgres.ts';

/** What starts a process. */
const starts = [
  ['spawn', (program: string) => spawn(program)],
  ['spawnSync', (program: string) => spawnSync(program)],
  ['exec', (program: string) => exec(program)],
  ['execSync', (program: string) => execSync(program)],
  ['execFile', (program: string) => execFile(program)],
  ['execFile, promisified', (program: string) => promisify(execFile)(program)],
  ['execFileSync', (program: string) => execFileSync(program)],
  ['fork', (program: string) => fork(program)],
] as const;

/** Has the tests of a suite run in a layer. Beside files of other layers, what they may use is allowed to all. */
const within = (layer: Layer): void => {
  let own: Layer | undefined;
  before(() => {
    own = currentLayer();
    enterLayer(layer);
  });
  // The errors are expected here.
  afterEach(takeBreach);
  after(() => enterLayer(own ?? 'unit'));
};

const messageOf = async (use: () => unknown): Promise<string> =>
  String(await rejectionOf((async (): Promise<unknown> => use())()));

describe('A unit test', () => {
  within('unit');

  it('cannot start a process, in whatever way', async () => {
    await forEachCase(starts, async ([, start]) => {
      expect(await messageOf(() => start('true'))).to.contain('A unit test must not use the process ');
    });
  });

  it('cannot start a program of a database either', async () => {
    await forEachCase(Object.keys(databasePrograms), async (program) => {
      expect(await messageOf(() => spawn(program))).to.contain(
        `A unit test must not use the process ${program}`,
      );
    });
  });

  it('cannot wait on the wall clock, or use the servers of databases', async () => {
    await forEachCase(
      [
        ['timers/promises.setTimeout', () => pause(0)],
        ['the PostgreSQL server', () => freshDatabase()],
        ['the MariaDB server', () => freshMariaDb()],
      ] as const,
      async ([what, use]) => {
        expect(await messageOf(use)).to.contain(`A unit test must not use ${what}`);
      },
    );
  });
});

describe('A store test', () => {
  within('store');

  it('cannot start a process, in whatever way', async () => {
    await forEachCase(starts, async ([, start]) => {
      expect(await messageOf(() => start('true'))).to.contain('A store test must not use the process ');
    });
  });

  it('can start the programs of the shared databases only, of which there are no more', () => {
    expect(spawnSync('id').status).to.equal(0);
    expect(Object.keys(databasePrograms)).to.have.length.of.at.most(5);
  });

  it('can wait for a condition on the real clock', async () => {
    await pause(0);
  });
});

describe('The guard of the layers', () => {
  within('e2e');

  it('keeps what code has caught, so that the test fails all the same', async () => {
    enterLayer('store');
    await messageOf(() => spawn('true'));
    expect(takeBreach()?.message).to.contain('the process true');
    expect(takeBreach()).to.equal(undefined);
  });

  it('lets the product go on without a program that it asks where there is one', async () => {
    enterLayer('unit');
    for (const program of Object.keys(absentPrograms))
      expect(await messageOf(() => spawn(program))).to.contain(`the process ${program}`);
    expect(takeBreach()).to.equal(undefined);
    expect(Object.keys(absentPrograms)).to.have.length.of.at.most(1);
  });

  it('sees what a file starts while it is loaded', () => {
    leaveLayer();
    expect(spawnSync('true').status).to.equal(0);
    expect(() => enterLayer('unit')).to.throw('A unit test must not use the process true');
    enterLayer('unit');
  });

  it('allows files that one process runs together what the widest of their layers may do', () => {
    expect(widestOf(['unit', 'e2e', 'store'])).to.equal('e2e');
    expect(widestOf(['store', 'unit'])).to.equal('store');
    expect(widestOf([])).to.equal('unit');
  });
});

describe('The layer of a test file', () => {
  it('is said by the end of its name', () => {
    expect(
      ['a/orders.test.ts', 'a/orders.store.test.ts', 'a/orders.e2e.test.ts', 'a/orders.night.test.ts'].map(
        layerOf,
      ),
    ).to.deep.equal(['unit', 'store', 'e2e', 'night']);
  });
});

describe('A test file', () => {
  it('of the unit layer that calls the sleep of the product does so in simulated time', () => {
    const files = globSync('test/**/*.{test,suite}.ts', { exclude: ['**/node_modules/**'] });
    const real = files.filter((file) => {
      const text = readFileSync(file, 'utf8');
      const sleeps = /import \{[^}]*\bsleep\b[^}]*\} from '[^']*adapters\/support\/time\.ts'/.test(text);
      return layerOf(file) === 'unit' && sleeps && !/support\/(simulated|flowing)-time\.ts'/.test(text);
    });
    expect(real).to.deep.equal([]);
  });

  it('has no await at its top level, which Mocha cannot load where one process runs all files', () => {
    const files = globSync('test/**/*.ts', {
      exclude: ['**/node_modules/**', 'test/**/*.{e2e,night}.test.ts'],
    });
    const programs =
      /(main|program|thread|another-process|consumer|record-release|example-command|open-and-close|[a-z]+-provider|log-and-end)\.ts$/;
    const awaiting = files.filter(
      (file) =>
        !programs.test(file) &&
        /^(?:(?:export )?(?:const|let) [^=\n]* = (?:\w+[.(])*)?await /m.test(readFileSync(file, 'utf8')),
    );
    expect(awaiting).to.deep.equal([]);
  });
});
