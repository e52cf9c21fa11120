import { exec, execFile, fork, spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rejectionOf } from '../contracts/harness.ts';
import { currentLayer, enterLayer, layerOf } from '../support/layers.ts';
import { freshMariaDb } from '../support/mariadb.ts';
import { freshDatabase } from '../support/postgres.ts';

describe('A unit test', () => {
  // Beside files of other layers, what they may use is allowed to all.
  const layer = currentLayer();
  before(() => enterLayer('unit'));
  after(() => enterLayer(layer));

  for (const [name, use] of [
    ['spawn', () => spawn('true')],
    ['spawnSync', () => spawnSync('true')],
    ['exec', () => exec('true')],
    ['execFile', () => execFile('true')],
    ['execFile, promisified', () => promisify(execFile)('true')],
    ['fork', () => fork('true')],
    ['timers/promises.setTimeout', () => pause(0)],
    ['the PostgreSQL server', () => freshDatabase()],
    ['the MariaDB server', () => freshMariaDb()],
  ] as const) {
    it(`cannot use ${name}`, async () => {
      const attempt = async (): Promise<unknown> => use();
      expect(String(await rejectionOf(attempt()))).to.contain('A unit test must not use');
    });
  }
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
