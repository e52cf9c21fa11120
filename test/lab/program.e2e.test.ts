import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { constants } from 'node:os';
import { expect } from 'chai';
import { occupy, portOf } from '../bootstrap/support/ports.ts';
import { rejectionOf } from '../contracts/harness.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { Program, type ProgramOptions } from './program.ts';

describe('A program in a process of its own', () => {
  const place = temporaryFolder();
  const running: Program[] = [];
  const start = (word: string, { words = [], ...options }: ProgramOptions = {}): Program => {
    const program = new Program('test/lab/example-program.ts', { ...options, words: [word, ...words] });
    running.push(program);
    return program;
  };
  let listener: Server | undefined;
  let socket: Socket | undefined;
  afterEach(async () => {
    // A program that its own starter has left behind ends with its connection.
    socket?.destroy();
    listener?.close();
    await Promise.all(running.splice(0).map((program) => program.kill()));
  });

  it('is waited for until its output matches, also over several parts, or its errors do', async () => {
    const program = start('print in parts');
    expect([...(await program.printed(/^one, (\w+)\n/))]).to.deep.equal(['one, two\n', 'two']);
    await program.printed(/three/, { on: 'errors' });
    const { index } = await program.printed(/two/);
    expect(index).to.equal(5);
  });

  it('is waited for in the same way when its output goes to a file', async () => {
    const outputFile = place('output');
    const program = start('print in parts', { outputFile });
    await program.printed(/^one, two\n/);
    expect(program.output).to.equal('one, two\n');
  });

  it('whose output does not match before it exits is an error with its end and what it has printed', async () => {
    for (const files of [{}, { outputFile: place('a'), errorsFile: place('b') }]) {
      const error = await rejectionOf(start('fail', files).printed(/^Listens/));
      expect((error as Error).message).to.equal(
        'test/lab/example-program.ts has not printed /^Listens/, and exited with 3: begun\nIt cannot go on.\n',
      );
    }
  });

  it('whose output does not match in time is an error that says that it still runs', async () => {
    const program = start('print in parts');
    await Promise.all([program.printed(/two/), program.printed(/three/, { on: 'errors' })]);
    const error = await rejectionOf(program.printed(/four/, { timeoutMs: 1 }));
    expect((error as Error).message).to.match(/has not printed \/four\/, and still runs: one, two\nthree$/);
  });

  it('exchanges messages, and its end instead of one is an error with what it has printed', async () => {
    const program = start('double numbers', { hasChannel: true });
    expect(await program.exchange(21)).to.equal(42);
    expect(await program.exchange(1)).to.equal(2);
    const unanswered = rejectionOf(program.exchange('no number'));
    program.signal('SIGKILL');
    expect(((await unanswered) as Error).message).to.match(/has sent no message, and exited with SIGKILL: $/);
    const failed = rejectionOf(start('fail', { hasChannel: true }).exchange());
    expect(((await failed) as Error).message).to.match(/exited with 3: begun\nIt cannot go on\.\n$/);
  });

  it('ends with the process that has started it, whether that exits or gets a signal', async () => {
    listener = await occupy();
    for (const signal of [undefined, 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const connected = once(listener, 'connection');
      const how = signal === undefined ? 'exit' : 'wait for a signal';
      const program = start(`start another, and ${how}`, { words: [`${portOf(listener)}`] });
      socket = ((await connected) as [Socket])[0].resume();
      const closed = once(socket, 'close');
      if (signal !== undefined) {
        await program.printed(/started/);
        program.signal(signal);
      }
      expect(await program.ended()).to.equal(signal === undefined ? 0 : 128 + constants.signals[signal]);
      await closed;
    }
  });
});
