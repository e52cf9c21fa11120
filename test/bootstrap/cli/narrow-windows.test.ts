import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { commands } from '#bootstrap/cli/commands/all.ts';
import { run as runCommandLine } from '#bootstrap/cli/framework/run.ts';
import { createTerminal } from '#bootstrap/cli/framework/terminal.ts';

/** Runs a command line in this process, in a window of that width. */
const runIn = async (columns: number, words: readonly string[]): Promise<string> => {
  const stdout = Object.assign(new PassThrough(), { columns, isTTY: true });
  const terminal = createTerminal({
    ...{ stdin: Readable.from([]), stdout, stderr: new PassThrough() },
    ...{ env: {}, on: () => undefined },
  });
  await runCommandLine(words, { commands, version: '1.2.3', terminal });
  return stdout.read()?.toString() ?? '';
};

describe('In a window of 24 columns', () => {
  it('the help of every command fits', async () => {
    for (const words of [
      [],
      ['help'],
      ['keys', '--help'],
      ...Object.keys(commands).map((name) => ['help', ...name.split(' ')]),
    ]) {
      const lines = (await runIn(24, words)).split('\n');
      // A line that is one word, such as the values of an option, cannot be shorter.
      const wide = lines.filter((line) => line.length > 24 && /\S \S/.test(line) && !line.startsWith('  --'));
      expect(wide, words.join(' ')).to.deep.equal([]);
      expect(lines, words.join(' ')).to.not.have.lengthOf(1);
    }
  });
});
