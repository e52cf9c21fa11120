// A program for the test of `Program`: it does what its first argument says.
import { connect } from 'node:net';
import { exitAtSignals } from '../support/at-exit.ts';
import { Program } from './program.ts';

const [what = '', port = ''] = process.argv.slice(2);

/** Starts another one, which is connected to the port for as long as it runs. */
const startAnother = (): Promise<unknown> =>
  new Program('test/lab/example-program.ts', { words: ['connect', port] }).printed(/connected/);

const ways: Readonly<Record<string, () => unknown>> = {
  'print in parts': () => {
    process.stdout.write('one, ');
    process.stderr.write('three');
    setTimeout(() => process.stdout.write('two\n'), 20);
    setInterval(() => undefined, 1_000);
  },
  fail: () => {
    process.stdout.write('begun\n');
    process.stderr.write('It cannot go on.\n');
    process.exitCode = 3;
  },
  'double numbers': () =>
    process.on('message', (message) => {
      if (typeof message === 'number') process.send?.(2 * message);
    }),
  connect: () => connect(Number(port), '127.0.0.1', () => process.stdout.write('connected\n')),
  'start another, and exit': async () => {
    await startAnother();
    process.exit();
  },
  'start another, and wait for a signal': async () => {
    exitAtSignals();
    await startAnother();
    process.stdout.write('started\n');
  },
};
await ways[what]?.();
