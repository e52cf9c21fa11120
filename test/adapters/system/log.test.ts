import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openLog } from '#adapters/system/log.ts';
import { openLogDestination } from '#adapters/system/log-destination.ts';
import { ApplicationError } from '#application/errors.ts';
import { Program } from '../../bootstrap/support/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const program = 'test/adapters/system/log-and-end.ts';

interface Line {
  readonly msg: string;
  readonly requestId?: string;
  readonly dropped?: number;
}

const linesIn = (said: string): Line[] =>
  said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** What a log that has been closed leaves in a file, once the disk has so many lines of it. */
const left = (file: string, lines: number): Promise<string> =>
  until(
    async () => readFileSync(file, 'utf8'),
    (written) => linesIn(written).length >= lines,
  );

describe('The log', () => {
  const place = temporaryFolder();

  for (const [way, code] of [
    ['exit', 3],
    ['throw', 1],
    ['reject', 1],
    ['close', 0],
  ] as const) {
    it(`has every line in order when the process ends by ${way}`, async () => {
      const ended = new Program(program, {}, undefined, [], [way, '5000']);
      expect(await ended.ended()).to.equal(code);
      const lines = linesIn(ended.errors);
      expect(lines).to.have.lengthOf(5001);
      expect(lines[2500]?.msg).to.equal('half');
      const numbers = lines.flatMap(({ requestId }) => (requestId === undefined ? [] : [Number(requestId)]));
      expect(numbers).to.deep.equal(Array.from({ length: 5000 }, (_, index) => index + 1));
    });
  }

  const spawned: ChildProcess[] = [];
  afterEach(() => {
    for (const child of spawned.splice(0)) child.kill('SIGKILL');
  });
  const start = () => {
    const file = fileURLToPath(new URL('log-and-end.ts', import.meta.url));
    const child = spawn(process.execPath, [file, 'stay', '100000'], { stdio: ['pipe', 'pipe', 'pipe'] });
    spawned.push(child);
    return child;
  };

  /** What it says at its end: how many lines it has dropped, and how much memory it has. */
  const end = async (child: ReturnType<typeof start>): Promise<readonly [number, number]> => {
    child.stdin.write('enough\n');
    const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const [, dropped, memory] = /(\d+) (\d+)\n$/.exec(said) ?? [];
    return [Number(dropped), Number(memory)];
  };

  it('that nobody reads neither holds the process up nor fills its memory', async () => {
    const child = start();
    const [[dropped, memory], [code]] = await Promise.all([end(child), once(child, 'exit')]);
    expect(code).to.equal(0);
    // 100,000 lines are more than 10 MB, and 4 MB may wait.
    expect(dropped).to.be.greaterThan(10_000);
    expect(memory).to.be.below(300 * 1024 * 1024);
  });

  it('whose reader has gone does not end the process', async () => {
    const child = start();
    child.stderr.destroy();
    await once(child.stderr, 'close');
    const [[, memory], [code]] = await Promise.all([end(child), once(child, 'exit')]);
    expect(code).to.equal(0);
    expect(memory).to.be.greaterThan(0);
  });

  it('whose disk is full does not keep the process from exiting', async () => {
    const full = openSync('/dev/full', 'w');
    const file = fileURLToPath(new URL('log-and-end.ts', import.meta.url));
    const child = spawn(process.execPath, [file, 'exit', '5000'], { stdio: ['ignore', 'ignore', full] });
    spawned.push(child);
    expect(await once(child, 'exit')).to.deep.equal([3, null]);
    closeSync(full);
  });

  it('that is read late goes on where it stopped, and says how many lines are missing', async () => {
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
    const told = lines.reduce((sum, { dropped = 0 }) => sum + dropped, 0);
    expect(told).to.equal(dropped).and.to.be.greaterThan(0);
    const numbers = lines.flatMap(({ requestId = '0' }) => (requestId === '0' ? [] : [Number(requestId)]));
    expect(numbers).to.deep.equal([...numbers].sort((one, other) => one - other));
    expect(new Set(numbers).size).to.equal(numbers.length);
    expect(numbers.length + told).to.be.at.least(100_000);
  });

  it('writes what is urgent at once, and before it all that has waited', async () => {
    const file = place('urgent.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    log.answered({ ...answered, requestId: 'first' });
    log.warn('second');
    await until(
      async () => linesIn(readFileSync(file, 'utf8')),
      (lines) => lines[0]?.requestId === 'first' && lines[1]?.msg === 'second',
    );
    await log.close();
  });

  it('writes the lines of requests soon, though no more come', async () => {
    const file = place('soon.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    log.answered(answered);
    await until(
      async () => linesIn(readFileSync(file, 'utf8')),
      (lines) => lines.length === 1,
    );
    await log.close();
  });

  it('writes a request as pino would, whatever the client calls it', async () => {
    const file = place('odd.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    const requestId = 'a"b\\c\u0007é\u2028';
    log.answered({ ...answered, requestId, caller: { keyId: 'key', userId: 'user' } }, 'trace');
    log.info({ requestId }, 'said by pino');
    await log.close();
    const [ours, pinos] = linesIn(await left(file, 2));
    expect(ours).to.have.all.keys(
      ...['level', 'time', 'pid', 'hostname', 'requestId', 'method', 'route', 'status', 'durationMs'],
      ...['keyId', 'userId', 'traceId', 'msg'],
    );
    expect(ours?.requestId).to.equal(requestId);
    expect(ours).to.include({ level: 30, pid: process.pid, durationMs: 1.25, msg: 'answered' });
    expect(Object.keys(ours ?? {}).slice(0, 5)).to.deep.equal(Object.keys(pinos ?? {}).slice(0, 5));
  });

  it('leaves out requests, and only them, where the level is higher', async () => {
    const file = place('warn.log');
    const log = openLog('warn', { file: openSync(file, 'w') });
    log.answered(answered);
    log.error('told');
    await log.close();
    expect(linesIn(await left(file, 1)).map(({ msg }) => msg)).to.deep.equal(['told']);
  });

  it('shows of an error what went wrong and nothing that hangs on it', async () => {
    const file = place('errors.log');
    const secrets = ['the-secret-of-this-server', 'with"quotes/and=signs'];
    const log = openLog('info', { file: openSync(file, 'w'), secrets });
    const driver = Object.assign(new Error('connect postgres://shop:hunter2@db:5432/shop failed'), {
      code: '23505',
      constraint: 'users_email_unique',
      detail: 'Key (email)=(ada@example.com) already exists.',
      headers: { authorization: 'Bearer the-token' },
    });
    const err = new ApplicationError('unavailable', `Not with ${secrets.join(' and ')}.`, driver);
    const token = `ptc_${'0123456789abcdef'.repeat(2)}_${'x'.repeat(49)}`;
    log.error(
      { err, requestId: 'one' },
      `A request failed: ${token}, sk_live_abc, eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2ln`,
    );
    log.error({ err: 'a secret that was thrown' }, 'Another.');
    await log.close();
    const written = await left(file, 2);
    expect(written).to.include('unavailable').and.include('23505').and.include('users_email_unique');
    expect(written).to.include('postgres://shop:…@db:5432/shop').and.include('log.test.ts');
    for (const secret of [
      'hunter2',
      'the-secret',
      'quotes/and',
      'ada@',
      'the-token',
      'ptc_0',
      'sk_live',
      'eyJ',
    ]) {
      expect(written).not.to.include(secret);
    }
    expect(written).not.to.include('a secret that');
    expect(linesIn(written)).to.have.lengthOf(2);
  });
});

describe('The log destination', () => {
  const place = temporaryFolder();

  it('gathers what comes while others are written, too, and writes at once what may not wait', async () => {
    const file = place('gathered.log');
    const number = openSync(file, 'w');
    const writer = openLogDestination(number, { missingLine: () => 'missing\n' });
    const sizes = new Set<number>();
    const begun = performance.now();
    while (performance.now() - begun < 450) {
      writer.enqueue('line\n');
      await new Promise((resolve) => setImmediate(resolve));
      sizes.add(statSync(file).size);
    }
    // A file that is being written is seen to grow in between.
    expect(sizes.size).to.be.within(2, 50);
    writer.enqueue('first\n');
    writer.write('second\n');
    writer.write('third\n');
    const told = performance.now();
    const written = await until(
      async () => readFileSync(file, 'utf8'),
      (all) => all.endsWith('line\nfirst\nsecond\nthird\n'),
    );
    expect(performance.now() - told).to.be.below(90);
    expect(written).to.match(/^(line\n)+first\nsecond\nthird\n$/);
    await writer.close();
    closeSync(number);
  });

  it('gives up at its end what nobody takes', async () => {
    const file = place('refused.log');
    // Open for reading only, so that writing is refused.
    const number = openSync(file, 'w');
    closeSync(number);
    const reading = openSync(file, 'r');
    const writer = openLogDestination(reading, { missingLine: () => 'missing\n', maxBufferedBytes: 10 });
    writer.write('first\n');
    writer.enqueue('lost, for it is too long\n');
    expect(writer.dropped).to.equal(1);
    await writer.close();
    closeSync(reading);
    expect(readFileSync(file, 'utf8')).to.equal('');
  });

  it('leaves alone what is opened in the place of its file once it has been closed', async () => {
    const file = place('held-up.log');
    closeSync(openSync(file, 'w'));
    const reading = openSync(file, 'r');
    const writer = openLogDestination(reading, { missingLine: () => 'missing\n' });
    writer.write('refused\n');
    await writer.close();
    closeSync(reading);
    const another = place('another.log');
    const number = openSync(another, 'w');
    expect(number).to.equal(reading);
    // Longer than it waits before it tries again.
    await pause(1_200);
    closeSync(number);
    expect(readFileSync(another, 'utf8')).to.equal('');
  });
});

const answered = {
  requestId: 'one',
  method: 'GET',
  route: '/v1/products',
  status: 200,
  milliseconds: 1.25,
  ending: 'answered',
  caller: undefined,
};
