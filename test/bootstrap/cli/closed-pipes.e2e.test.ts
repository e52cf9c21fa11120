import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { root } from '../../deploy/files.ts';
import { temporaryFolder } from '../../support/temporary.ts';

describe('A command whose reader has closed the pipe', () => {
  const folder = temporaryFolder();
  const env = () => ({ ...process.env, DATABASE_URL: `sqlite:${folder('shop.db')}`, NO_COLOR: '1' });

  const node = `"${process.execPath}" bootstrap/portico.mjs`;
  const piped = (line: string) =>
    spawnSync('bash', ['-c', `${line}; echo "$\{PIPESTATUS[0]}"`], {
      cwd: root,
      encoding: 'utf8',
      env: env(),
    });
  before(() => {
    expect(piped(`${node} seed --products 3 | cat`).stdout).to.include('3 products added');
    expect(piped(`${node} keys create --admin | cat`).stdout).to.match(/^ptc_/);
  });

  for (const line of [
    'help',
    'migrate status',
    'keys list',
    'users list',
    'users list --json',
    'orders list --json',
    'export products',
  ]) {
    it(`ends quietly with exit code 0 (${line})`, () => {
      const { stdout, stderr } = piped(`${node} ${line} | true`);
      expect([stdout, stderr.replace(/^Exported .*\n/, '')]).to.deep.equal(['0\n', '']);
    });
  }

  it('ends quietly when its standard error is closed, too', () => {
    expect(piped(`${node} orders list 2>&1 >/dev/null | true`).stdout).to.equal('0\n');
  });

  it('ends quietly in the middle of a long text', () => {
    const pipe = `"${process.execPath}" bootstrap/portico.mjs openapi | head -c 10; echo "$\{PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', pipe], { cwd: root, encoding: 'utf8' });
    expect(stderr).to.equal('');
    expect(stdout).to.equal('{\n  "opena0\n');
  });
});
