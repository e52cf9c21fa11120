import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Program } from '../../lab/program.ts';
import { killAtExit } from '../../support/at-exit.ts';
import { until } from '../../support/until.ts';

const program = 'test/adapters/system/log-and-end.ts';

interface Line {
  readonly msg: string;
  readonly requestId?: string;
  readonly dropped?: number;
}

const linesIn = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

describe('The log of a process', () => {
  it('writes every line in order, however the process ends', async () => {
    for (const [way, code] of [
      ['exit', 3],
      ['throw', 1],
      ['reject', 1],
      ['close', 0],
    ] as const) {
      const ended = new Program(program, { words: [way, '5000'] });
      expect(await ended.ended(), way).to.equal(code);
      const lines = linesIn(ended.errors);
      expect(lines, way).to.have.lengthOf(5001);
      expect(lines[2500]?.msg).to.equal('half');
      const numbers = lines.flatMap(({ requestId }) => (requestId === undefined ? [] : [Number(requestId)]));
      expect(numbers, way).to.deep.equal(Array.from({ length: 5000 }, (_, index) => index + 1));
    }
  });

  const spawned: ChildProcess[] = [];
  afterEach(() => {
    for (const child of spawned.splice(0)) child.kill('SIGKILL');
  });
  const start = () => {
    const file = fileURLToPath(new URL('log-and-end.ts', import.meta.url));
    const child = spawn(process.execPath, [file, 'stay', '100000'], { stdio: ['pipe', 'pipe', 'pipe'] });
    killAtExit(child);
    spawned.push(child);
    return child;
  };

  /** Ends the process. @returns how many lines it has dropped, and its memory in bytes */
  const end = async (child: ReturnType<typeof start>): Promise<readonly [number, number]> => {
    child.stdin.write('enough\n');
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const [, dropped, memory] = /(\d+) (\d+)\n$/.exec(output) ?? [];
    return [Number(dropped), Number(memory)];
  };

  it('neither blocks the process nor fills its memory when its reader stops', async () => {
    const child = start();
    const [[dropped, memory], [code]] = await Promise.all([end(child), once(child, 'exit')]);
    expect(code).to.equal(0);
    // 100,000 lines are more than 10 MB, and 4 MB may wait.
    expect(dropped).to.be.greaterThan(10_000);
    expect(memory).to.be.below(300 * 1024 * 1024);
  });

  it('does not end the process when its reader has gone', async () => {
    const child = start();
    child.stderr.destroy();
    await once(child.stderr, 'close');
    const [[, memory], [code]] = await Promise.all([end(child), once(child, 'exit')]);
    expect(code).to.equal(0);
    expect(memory).to.be.greaterThan(0);
  });

  it('does not keep the process from exiting when its disk is full', async () => {
    const ended = new Program(program, { words: ['exit', '5000'], errorsFile: '/dev/full' });
    expect(await ended.ended()).to.equal(3);
  });

  it('continues where it stopped when its reader comes back, and reports the missing lines', async () => {
    const child = start();
    await once(child.stdout, 'data');
    let written = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      written += more;
    });
    await until(
      async () => /"dropped":\d+.*\n.*\n/.test(written),
      (isThere) => isThere,
    );
    const [[dropped]] = await Promise.all([end(child), once(child, 'close')]);
    const lines = linesIn(written);
    const reported = lines.reduce((sum, { dropped = 0 }) => sum + dropped, 0);
    expect(reported).to.equal(dropped).and.to.be.greaterThan(0);
    const numbers = lines.flatMap(({ requestId = '0' }) => (requestId === '0' ? [] : [Number(requestId)]));
    expect(numbers).to.deep.equal([...numbers].sort((one, other) => one - other));
    expect(new Set(numbers).size).to.equal(numbers.length);
    expect(numbers.length + reported).to.be.at.least(100_000);
  });
});
