import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../../deploy/files.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const versionOf = (node: string): string =>
  /^v(.*)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? '';

/** The preload with which an npm script checks the version before it loads TypeScript. */
const preload = '--import ./bootstrap/process/require-node.mjs';

describe('A version of Node that is too old', () => {
  const place = temporaryFolder();
  const old = ['/usr/bin/node', '/usr/local/bin/node'].find(
    (node) => Number.parseInt(versionOf(node), 10) < 24,
  );
  const skipped = old === undefined ? ' (skipped: no older Node here)' : '';

  /** The entry points without packages, as after `git clone`. */
  const clone = (name: string): string => {
    const folder = place(name);
    for (const file of globSync('bootstrap/**/*.mjs', { cwd: root }))
      cpSync(join(root, file), join(folder, file));
    writeFileSync(join(folder, 'script.ts'), 'export const number: number = 1;');
    return folder;
  };

  const run = (folder: string, line: string) => {
    const { status, stdout, stderr } = spawnSync(old ?? '', line.split(' '), {
      cwd: folder,
      env: {},
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  for (const line of [
    'bootstrap/main.mjs',
    'bootstrap/portico.mjs',
    'bootstrap/portico.mjs doctor',
    `${preload} script.ts`,
  ]) {
    it(`is named in one line by node ${line}${skipped}`, function () {
      if (old === undefined) return this.skip();
      const folder = clone('omitted');
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      const { status, stdout, stderr } = run(folder, line);
      expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
      const start = `portico: Node 24 or newer is required, not ${versionOf(old)}. Install it, or run node bootstrap/prepare.mjs`;
      expect(stderr.startsWith(start), stderr).to.equal(true);
      expect(stderr).to.match(/^[^\n]+\n$/);
    });
  }

  for (const line of ['bootstrap/main.mjs', 'bootstrap/portico.mjs keys list']) {
    it(`is not the first thing to change when node ${line} has no packages${skipped}`, function () {
      if (old === undefined) return this.skip();
      const folder = clone('no packages');
      const stderr = `portico: The packages are not installed. Run npm ci in ${folder}.\n`;
      expect(run(folder, line)).to.deep.equal({ status: 1, stdout: '', stderr });
    });
  }

  it(`hands node bootstrap/main.mjs over to the Node 24 in node_modules${skipped}`, function () {
    if (old === undefined) return this.skip();
    const { status, stderr } = spawnSync(old, ['bootstrap/main.mjs'], {
      cwd: root,
      env: { PORT: 'none' },
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^portico: PORT must /);
  });
});

describe('An installation that was cut off', () => {
  const place = temporaryFolder();

  it('is reported in one line that says what to do', () => {
    const folder = place('cut off');
    for (const name of ['bootstrap', 'adapters', 'application', 'domain', 'package.json']) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    mkdirSync(join(folder, 'node_modules'));
    const { status, stderr } = spawnSync(process.execPath, ['bootstrap/main.mjs'], {
      cwd: folder,
      env: {},
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    expect(stderr).to.match(
      /^portico: The package \S+ is missing: the installation is incomplete\. Run npm ci\.\n$/,
    );
  });
});
