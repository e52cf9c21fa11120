import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { root } from '../../deploy/files.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const noUser = 65_534;

/** Installs by the real npm, without a network: the packages are folders of the clone. */
describe('The installation before npm start', () => {
  const place = temporaryFolder();
  const { PATH: searchPath = '' } = process.env;
  const settings = { PATH: searchPath, HOME: place('home') };
  const clone = place("o'größe clone");
  const at = (...names: readonly string[]): string => join(clone, ...names);
  const stamp = at('node_modules/.portico-installed');

  const addPackage = (name: string, files: Readonly<Record<string, string>> = {}): void => {
    for (const [file, text] of Object.entries({
      'package.json': JSON.stringify({ name, version: '1.0.0' }),
      ...files,
    })) {
      mkdirSync(dirname(at(name, file)), { recursive: true });
      writeFileSync(at(name, file), text);
    }
  };

  before(() => {
    for (const file of ['bootstrap/prepare.mjs', 'bootstrap/process/node-version.mjs'])
      cpSync(join(root, file), at(file));
    addPackage('node', { 'bin/node': '' });
    addPackage('koa');
    addPackage('chai');
    const manifest = {
      name: 'clone',
      version: '1.0.0',
      dependencies: { koa: 'file:koa' },
      devDependencies: { node: 'file:node', chai: 'file:chai' },
    };
    writeFileSync(at('.npmrc'), 'install-links=true\n');
    writeFileSync(at('package.json'), JSON.stringify(manifest));
    mkdirSync(settings.HOME);
    const { status, stderr } = spawnSync('npm', ['install', '--package-lock-only', '--offline'], {
      cwd: clone,
      env: { ...settings },
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
  });

  const prepare = (environment: Readonly<Record<string, string>> = {}, user?: number) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bootstrap/prepare.mjs'], {
      cwd: clone,
      env: { ...settings, npm_config_offline: 'true', ...environment },
      encoding: 'utf8',
      uid: user,
      gid: user,
    });
    return { status, stdout, lines: stderr.split('\n') };
  };

  const installed = (): readonly string[] =>
    ['node/bin/node', 'koa/package.json', 'chai/package.json'].filter((file) =>
      existsSync(at('node_modules', file)),
    );
  const all = ['node/bin/node', 'koa/package.json', 'chai/package.json'];

  const expectInstalls = (environment: Readonly<Record<string, string>> = {}, user?: number): void => {
    const { status, stdout, lines } = prepare(environment, user);
    expect(status, lines.join('\n')).to.equal(0);
    expect(lines[0]).to.equal('Installing the packages.');
    expect(stdout).to.equal('');
    expect(installed()).to.deep.equal(all);
    expect(prepare(environment, user)).to.deep.equal({ status: 0, stdout: '', lines: [''] });
  };

  const omitting: readonly Readonly<Record<string, string>>[] = [
    { NODE_ENV: 'production' },
    { npm_config_omit: 'dev' },
    { NPM_CONFIG_PRODUCTION: 'true' },
    { npm_config_only: 'production', npm_config_engine_strict: 'true' },
    { npm_config_omit: 'optional', npm_config_ignore_scripts: 'true', npm_config_legacy_peer_deps: 'true' },
  ];
  for (const environment of omitting) {
    it(`includes what ${JSON.stringify(environment)} omits`, () => {
      rmSync(at('node_modules'), { recursive: true, force: true });
      expectInstalls(environment);
    });
  }

  it('includes what the .npmrc of the user omits', () => {
    rmSync(at('node_modules'), { recursive: true, force: true });
    writeFileSync(join(settings.HOME, '.npmrc'), 'omit[]=dev\nomit[]=peer\n');
    expectInstalls();
    rmSync(join(settings.HOME, '.npmrc'));
  });

  it('comes again when packages are missing, though the lockfile is the same', () => {
    rmSync(at('node_modules'), { recursive: true, force: true });
    expectInstalls();
    for (const missing of ['node/bin/node', 'chai', 'koa']) {
      rmSync(at('node_modules', missing), { recursive: true });
      expectInstalls();
    }
    const pruned = spawnSync('npm', ['prune', '--omit=dev'], { cwd: clone, env: { ...settings } });
    expect(pruned.status).to.equal(0);
    expect(installed()).to.deep.equal(['koa/package.json']);
    expectInstalls();
  });

  it('is not repeated after npm install, unless that has other versions than the lockfile', () => {
    rmSync(at('node_modules'), { recursive: true, force: true });
    const { status } = spawnSync('npm', ['install', '--offline'], { cwd: clone, env: { ...settings } });
    expect(status).to.equal(0);
    expect(prepare()).to.deep.equal({ status: 0, stdout: '', lines: [''] });
    const lockfile = readFileSync(at('package-lock.json'), 'utf8');
    for (const other of [lockfile.replaceAll('"1.0.0"', '"0.9.0"'), lockfile.slice(0, -9), '{}']) {
      rmSync(stamp, { force: true });
      writeFileSync(at('node_modules/.package-lock.json'), other);
      expectInstalls();
    }
  });

  it('comes again after one that failed, and says in one line of its own what to do', () => {
    rmSync(at('koa'), { recursive: true });
    rmSync(at('node_modules'), { recursive: true });
    const failed = prepare();
    expect(failed.status).to.equal(1);
    expect(failed.lines.at(-2)).to.equal(
      'portico: The packages could not be installed: npm says above why. Fix that, and start again.',
    );
    expect(existsSync(stamp)).to.equal(false);
    addPackage('koa');
    expectInstalls();
  });

  it('shows every five seconds how far it is, because npm says nothing for minutes', () => {
    rmSync(at('node_modules'), { recursive: true, force: true });
    const folder = place('slow npm');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'npm'),
      '#!/bin/sh\nmkdir -p node_modules/koa\necho {} > node_modules/koa/package.json\nsleep 6\nexit 1\n',
    );
    chmodSync(join(folder, 'npm'), 0o755);
    const { lines } = prepare({ PATH: `${folder}:${searchPath}` });
    expect(lines[1]).to.equal('  1 of 3 packages after 5 s.');
  });

  it('says that there is no npm', () => {
    rmSync(at('node_modules'), { recursive: true, force: true });
    expect(prepare({ PATH: place('nowhere') })).to.deep.equal({
      status: 1,
      stdout: '',
      lines: [
        'Installing the packages.',
        'portico: The packages could not be installed: npm could not be started (ENOENT). Install npm.',
        '',
      ],
    });
  });

  const isRoot = process.getuid?.() === 0;
  const skipped = isRoot ? '' : ' (skipped: only root can become another user)';

  it(`says who can install when another user starts${skipped}`, function () {
    if (!isRoot) return this.skip();
    chmodSync(place(), 0o755);
    const line = `portico: The packages are not installed, and this user cannot write to ${clone}/. Run node bootstrap/prepare.mjs as its owner.`;
    expect(prepare({}, noUser)).to.deep.equal({ status: 1, stdout: '', lines: [line, ''] });
  });

  for (const home of ['home', 'no home']) {
    it(`needs no home directory that can be written to: ${home}${skipped}`, function () {
      if (!isRoot) return this.skip();
      rmSync(at('node_modules'), { recursive: true, force: true });
      for (const file of ['.', ...globSync('**', { cwd: clone })]) chownSync(at(file), noUser, noUser);
      const temporary = place('temporary');
      mkdirSync(temporary, { recursive: true });
      chownSync(temporary, noUser, noUser);
      expectInstalls({ HOME: place(home), TMPDIR: temporary }, noUser);
      expect(readdirSync(temporary).filter((name) => name.startsWith('portico'))).to.deep.equal([]);
    });
  }
});
