// A command for the test of the command line: it does what its first argument says.
import { atEndOfRun } from '../support/test-run.ts';
import { CannotRun, print, runCommand } from './command-line.ts';

await runCommand({
  ...{ name: 'example', usage: 'Usage: example holds|breaks|throws|cannot|waits\n' },
  read: ([what, ...more]) => {
    if (what === '--help') return undefined;
    if (what === undefined || more.length > 0) throw new Error('It takes one word.');
    return what;
  },
  run: async (what, { cleanUp }) => {
    cleanUp.defer(() => print('cleaned up'));
    atEndOfRun(async () => print('stopped what is shared'));
    if (what === 'throws') throw new Error('It has failed.');
    if (what === 'cannot') throw new CannotRun('Something is missing.');
    if (what === 'waits') {
      const timer = setInterval(() => undefined, 1_000);
      cleanUp.defer(() => clearInterval(timer));
      print('waits');
      await new Promise(() => undefined);
    }
    return what === 'holds';
  },
});
