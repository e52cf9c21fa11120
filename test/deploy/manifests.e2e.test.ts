import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, textOf, yamlFiles } from './files.ts';

const kubernetes = 'docs/deploy/kubernetes';
const { version } = JSON.parse(textOf('package.json'));

const has = (program: string): boolean => spawnSync('which', [program]).status === 0;

describe('The files for running Portico', () => {
  it(`pass yamllint${has('yamllint') ? '' : ' (skipped: it is not installed)'}`, function () {
    if (!has('yamllint')) this.skip();
    const rules = '{extends: default, rules: {line-length: {max: 130}, document-start: disable}}';
    const { stdout } = spawnSync('yamllint', ['-d', rules, ...yamlFiles], { cwd: root, encoding: 'utf8' });
    expect(stdout).to.equal('');
  });

  it(`are rendered by kustomize${has('kubectl') ? '' : ' (skipped: kubectl is not installed)'}`, function () {
    if (!has('kubectl')) this.skip();
    const { stdout, stderr, status } = spawnSync('kubectl', ['kustomize', kubernetes], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
    expect(stdout).to.include(`image: registry.example/portico:${version}`);
    expect(stdout.match(/^ {4}namespace: |^ {2}namespace: portico$/gm)).to.have.lengthOf(7);
  });

  const knowsUnits = has('systemd-analyze');
  it(`passes systemd-analyze with a low exposure${knowsUnits ? '' : ' (skipped: systemd is not installed)'}`, function () {
    if (!knowsUnits) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'portico-unit-'));
    const file = join(folder, 'portico.service');
    // systemd-analyze requires that the program exists on this machine.
    writeFileSync(file, textOf('docs/deploy/portico.service').replaceAll('/usr/bin/node', process.execPath));
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', file]);
    rmSync(folder, { recursive: true });
    expect(verified.stderr).to.equal('');
    expect(verified.status).to.equal(0);
    expect(judged.status).to.equal(0);
  });
});
