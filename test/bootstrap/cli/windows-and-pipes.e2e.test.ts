import { spawnSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commands } from '#bootstrap/cli/commands/all.ts';
import { run as runCommandLine } from '#bootstrap/cli/framework/run.ts';
import { createTerminal } from '#bootstrap/cli/framework/terminal.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs a command line in this process, in a window of that width. */
const runIn = async (columns: number, words: readonly string[]): Promise<string> => {
  const stdout = Object.assign(new PassThrough(), { columns, isTTY: true });
  const terminal = createTerminal({ stdout, stderr: new PassThrough(), env: {}, on: () => undefined });
  await runCommandLine(words, { commands, version: '1.2.3', terminal });
  return stdout.read()?.toString() ?? '';
};

describe('In a window of 24 columns', () => {
  for (const words of [
    [],
    ['help'],
    ['keys', '--help'],
    ...Object.keys(commands).map((name) => ['help', ...name.split(' ')]),
  ]) {
    it(`the help fits: ${words.join(' ')}`, async () => {
      const lines = (await runIn(24, words)).split('\n');
      // A line that is one word, such as the values of an option, cannot be shorter.
      const wide = lines.filter((line) => line.length > 24 && /\S \S/.test(line) && !line.startsWith('  --'));
      expect(wide).to.deep.equal([]);
      expect(lines).to.not.have.lengthOf(1);
    });
  }
});

describe('A command whose reader has closed the pipe', () => {
  const folder = temporaryFolder();
  const env = () => ({ ...process.env, DATABASE_URL: `sqlite:${folder('shop.db')}`, NO_COLOR: '1' });

  it('ends quietly with exit code 0', () => {
    const node = `"${process.execPath}" bootstrap/portico.mjs`;
    const lines = [
      'help',
      'migrate status',
      'keys list',
      'users list',
      'users list --json',
      'orders list --json',
      'export products',
    ];
    const piped = (line: string) =>
      spawnSync('bash', ['-c', `${line}; echo "$\{PIPESTATUS[0]}"`], {
        cwd: root,
        encoding: 'utf8',
        env: env(),
      });
    expect(piped(`${node} seed --products 3 | cat`).stdout).to.include('3 products added');
    expect(piped(`${node} keys create --admin | cat`).stdout).to.match(/^ptc_/);
    for (const line of lines) {
      const { stdout, stderr } = piped(`${node} ${line} | true`);
      expect([stdout, stderr.replace(/^Exported .*\n/, '')], line).to.deep.equal(['0\n', '']);
    }
    // A closed standard error ends nothing, either.
    expect(piped(`${node} orders list 2>&1 >/dev/null | true`).stdout).to.equal('0\n');
  }).timeout(60_000);
});
