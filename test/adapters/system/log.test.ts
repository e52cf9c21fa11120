import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { openLog } from '#adapters/system/log.ts';
import { openLogDestination } from '#adapters/system/log-destination.ts';
import { UnavailableError } from '#application/errors.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const flushIntervalMs = 100;
const closeTimeoutMs = 500;

interface Line {
  readonly msg: string;
  readonly requestId?: string;
}

const linesIn = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

describe('The log', () => {
  const pathOf = temporaryFolder();
  const time = ofEachTest(() => new SimulatedTime());

  it('writes urgent lines at once, after all that wait', async () => {
    const file = pathOf('urgent.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    log.logRequest({ ...responded, requestId: 'first' });
    log.warn('second');
    const lines = linesIn(readFileSync(file, 'utf8'));
    expect([lines[0]?.requestId, lines[1]?.msg]).to.deep.equal(['first', 'second']);
    await log.close();
  });

  it('writes the lines of requests within 100 ms, even when no more follow', async () => {
    const file = pathOf('soon.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    log.logRequest(responded);
    await time.pass(flushIntervalMs - 1);
    expect(readFileSync(file, 'utf8')).to.equal('');
    await time.pass(1);
    expect(linesIn(readFileSync(file, 'utf8'))).to.have.length(1);
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
    const [ours, pinos] = linesIn(readFileSync(file, 'utf8'));
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
    expect(linesIn(readFileSync(file, 'utf8')).map(({ msg }) => msg)).to.deep.equal(['an error']);
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
    const written = readFileSync(file, 'utf8');
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
  const time = ofEachTest(() => new SimulatedTime());

  it('writes queued lines together, and urgent lines at once', async () => {
    const file = pathOf('gathered.log');
    const number = openSync(file, 'w');
    const writer = openLogDestination(number, { missingLine: () => 'missing\n' });
    const sizes = new Set<number>();
    for (let lines = 0; lines < 450; lines += 1) {
      writer.enqueue('line\n');
      await time.pass(1);
      sizes.add(statSync(file).size);
    }
    // The file grows by many lines at a time.
    expect([...sizes]).to.deep.equal([0, 500, 1_000, 1_500, 2_000]);
    writer.enqueue('first\n');
    writer.write('second\n');
    writer.write('third\n');
    const written = readFileSync(file, 'utf8');
    expect(written).to.match(/^(line\n)+first\nsecond\nthird\n$/);
    await writer.close();
    closeSync(number);
  });

  it('gives up after half a second at its close what cannot be written', async () => {
    const file = pathOf('failed.log');
    // Open for reading only, so that each write fails.
    const number = openSync(file, 'w');
    closeSync(number);
    const reading = openSync(file, 'r');
    const writer = openLogDestination(reading, { missingLine: () => 'missing\n', maxBufferedBytes: 10 });
    writer.write('first\n');
    writer.enqueue('lost, for it is too long\n');
    expect(writer.dropped).to.equal(1);
    const begun = time.now;
    await time.settle(writer.close(), 2_000);
    expect(time.now - begun).to.be.closeTo(closeTimeoutMs, 20);
    closeSync(reading);
    expect(readFileSync(file, 'utf8')).to.equal('');
  });

  it('writes nothing after its close to a file that reuses its descriptor', async () => {
    const file = pathOf('held-up.log');
    closeSync(openSync(file, 'w'));
    const reading = openSync(file, 'r');
    const writer = openLogDestination(reading, { missingLine: () => 'missing\n' });
    writer.write('failed\n');
    await time.settle(writer.close(), 2_000);
    closeSync(reading);
    const another = pathOf('another.log');
    const number = openSync(another, 'w');
    expect(number).to.equal(reading);
    // Longer than the interval of its retries.
    await time.pass(4 * flushIntervalMs);
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
