import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openLog } from '#adapters/system/log.ts';
import { openLogDestination } from '#adapters/system/log-destination.ts';
import { UnavailableError } from '#application/errors.ts';
import { Program } from '../../bootstrap/support/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';
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

/** Reads a log file once it has so many lines. */
const readLog = (file: string, lines: number): Promise<string> =>
  until(
    async () => readFileSync(file, 'utf8'),
    (written) => linesIn(written).length >= lines,
  );

describe('The log', () => {
  const pathOf = temporaryFolder();

  for (const [way, code] of [
    ['exit', 3],
    ['throw', 1],
    ['reject', 1],
    ['close', 0],
  ] as const) {
    it(`writes every line in order when the process ends by ${way}`, async () => {
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
    const full = openSync('/dev/full', 'w');
    const file = fileURLToPath(new URL('log-and-end.ts', import.meta.url));
    const child = spawn(process.execPath, [file, 'exit', '5000'], { stdio: ['ignore', 'ignore', full] });
    spawned.push(child);
    expect(await once(child, 'exit')).to.deep.equal([3, null]);
    closeSync(full);
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

  it('writes urgent lines at once, after all that wait', async () => {
    const file = pathOf('urgent.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    log.logRequest({ ...responded, requestId: 'first' });
    log.warn('second');
    await until(
      async () => linesIn(readFileSync(file, 'utf8')),
      (lines) => lines[0]?.requestId === 'first' && lines[1]?.msg === 'second',
    );
    await log.close();
  });

  it('writes the lines of requests soon, even when no more follow', async () => {
    const file = pathOf('soon.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    log.logRequest(responded);
    await until(
      async () => linesIn(readFileSync(file, 'utf8')),
      (lines) => lines.length === 1,
    );
    await log.close();
  });

  it('writes a request as pino would, whatever its id contains', async () => {
    const file = pathOf('odd.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    const requestId = 'a"b\\c\u0007é\u2028';
    const client = {
      address: '203.0.113.7',
      userAgent: `an "agent" with a key ptc_${'0'.repeat(32)}_secretsecret`,
    };
    const caller = { keyId: 'key', userId: 'user' };
    log.logRequest({ ...responded, requestId, caller, client, errorCode: 'NOT_FOUND' }, 'trace');
    log.info({ requestId }, 'written by pino');
    await log.close();
    const [ours, pinos] = linesIn(await readLog(file, 2));
    expect(ours).to.have.all.keys(
      ...['level', 'time', 'pid', 'hostname', 'requestId', 'method', 'route', 'status', 'durationMs'],
      ...['code', 'keyId', 'userId', 'clientAddress', 'userAgent', 'traceId', 'msg'],
    );
    expect(ours).to.include({
      code: 'NOT_FOUND',
      clientAddress: '203.0.113.7',
      userAgent: 'an "agent" with a key …',
    });
    expect(ours?.requestId).to.equal(requestId);
    expect(ours).to.include({ level: 30, pid: process.pid, durationMs: 1.25, msg: 'answered' });
    expect(Object.keys(ours ?? {}).slice(0, 5)).to.deep.equal(Object.keys(pinos ?? {}).slice(0, 5));
  });

  it('leaves out requests, and only them, at a higher level', async () => {
    const file = pathOf('warn.log');
    const log = openLog('warn', { file: openSync(file, 'w') });
    log.logRequest(responded);
    log.error('an error');
    await log.close();
    expect(linesIn(await readLog(file, 1)).map(({ msg }) => msg)).to.deep.equal(['an error']);
  });

  it('shows what went wrong, without secrets and data attached to the error', async () => {
    const file = pathOf('errors.log');
    const secrets = ['the-secret-of-this-server', 'with"quotes/and=signs'];
    const log = openLog('info', { file: openSync(file, 'w'), secrets });
    const driver = Object.assign(new Error('connect postgres://shop:hunter2@db:5432/shop failed'), {
      code: '23505',
      constraint: 'users_email_unique',
      detail: 'Key (email)=(ada@example.com) already exists.',
      headers: { authorization: 'Bearer the-token' },
    });
    const err = new UnavailableError('database-unavailable', driver, `Not with ${secrets.join(' and ')}.`);
    const token = `ptc_${'0123456789abcdef'.repeat(2)}_${'x'.repeat(49)}`;
    log.error(
      { err, requestId: 'one' },
      `A request failed: ${token}, ${token.replace('ptc', 'ptp')}, sk_live_abc, eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2ln`,
    );
    log.error({ err: 'a secret that was thrown' }, 'Another.');
    log.error(`A third: whsec_${'wh/+'.repeat(10)}abc=.`);
    await log.close();
    const written = await readLog(file, 3);
    expect(written).to.include('unavailable').and.include('23505').and.include('users_email_unique');
    expect(written).to.include('postgres://shop:…@db:5432/shop').and.include('log.test.ts');
    for (const secret of [
      'hunter2',
      'the-secret',
      'quotes/and',
      'ada@',
      'the-token',
      'ptc_0',
      'ptp_0',
      'sk_live',
      'whsec_',
      'eyJ',
    ]) {
      expect(written).not.to.include(secret);
    }
    expect(written).not.to.include('a secret that');
    expect(linesIn(written)).to.have.lengthOf(3);
  });
});

describe('The log destination', () => {
  const pathOf = temporaryFolder();

  it('writes queued lines together, and urgent lines at once', async () => {
    const file = pathOf('gathered.log');
    const number = openSync(file, 'w');
    const writer = openLogDestination(number, { missingLine: () => 'missing\n' });
    const sizes = new Set<number>();
    let lines = 0;
    const begun = performance.now();
    while (performance.now() - begun < 450) {
      writer.enqueue('line\n');
      lines += 1;
      await new Promise((resolve) => setImmediate(resolve));
      sizes.add(statSync(file).size);
    }
    // The file grows by many lines at a time.
    expect(sizes.size).to.be.at.least(2);
    expect(lines / sizes.size).to.be.above(100);
    writer.enqueue('first\n');
    writer.write('second\n');
    writer.write('third\n');
    const writtenAt = performance.now();
    const written = await until(
      async () => readFileSync(file, 'utf8'),
      (all) => all.endsWith('line\nfirst\nsecond\nthird\n'),
    );
    expect(performance.now() - writtenAt).to.be.below(90);
    expect(written).to.match(/^(line\n)+first\nsecond\nthird\n$/);
    await writer.close();
    closeSync(number);
  });

  it('gives up at its close what cannot be written', async () => {
    const file = pathOf('failed.log');
    // Open for reading only, so that each write fails.
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

  it('writes nothing after its close to a file that reuses its descriptor', async () => {
    const file = pathOf('held-up.log');
    closeSync(openSync(file, 'w'));
    const reading = openSync(file, 'r');
    const writer = openLogDestination(reading, { missingLine: () => 'missing\n' });
    writer.write('failed\n');
    await writer.close();
    closeSync(reading);
    const another = pathOf('another.log');
    const number = openSync(another, 'w');
    expect(number).to.equal(reading);
    // Longer than the interval of its retries.
    await pause(400);
    closeSync(number);
    expect(readFileSync(another, 'utf8')).to.equal('');
  });
});

const responded = {
  requestId: 'one',
  method: 'GET',
  route: '/v1/products',
  status: 200,
  milliseconds: 1.25,
  ending: 'answered',
  client: { address: undefined, userAgent: undefined },
  errorCode: undefined,
  caller: undefined,
  unavailableReason: undefined,
};
