import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { allowedOrigin, expectProblem } from '../../http/support/protocol.ts';
import { credential, jsonText, requestText, Wire } from '../../http/support/wire.ts';
import { Program, type ProgramOptions } from '../../lab/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { freePort, occupy, portOf } from '../support/ports.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';
const list = requestText('GET /v1/products', [credential({ token })]);

/** Each start is a process, and the machine may be busy. */
const startTimeoutMs = 60_000;

describe('The shutdown of a server', function () {
  this.timeout(2 * startTimeoutMs);
  const place = temporaryFolder();
  const running: Program[] = [];
  let url: string;
  let ops: string;

  const run = (options: ProgramOptions): Program => {
    const program = new Program('bootstrap/main.mjs', options);
    running.push(program);
    return program;
  };

  const start = async (
    settings: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
  ): Promise<Program> => {
    const opsPort = await freePort();
    const environment = {
      DATABASE_URL: 'memory:',
      PORT: '0',
      OPS_PORT: `${opsPort}`,
      ADMIN_API_KEY: token,
      LOG_LEVEL: 'warn',
      CORS_ORIGIN: allowedOrigin,
      ...settings,
    };
    const program = run({ environment, flags });
    const [, origin = ''] = await program.printed(/^Portico serves (http:\S+)\/v1\n/);
    url = origin;
    ops = `http://127.0.0.1:${opsPort}`;
    return program;
  };

  afterEach(async () => {
    await Promise.all(running.splice(0).map((program) => program.kill()));
  });

  const readiness = async (): Promise<string> => {
    const answer = await fetch(`${ops}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };

  const untilStopping = () =>
    until(readiness, (said) => said === '503 not ready: stopping\n', startTimeoutMs);

  it('is announced at once; the server keeps serving for the drain, closes each connection after a response, and exits', async () => {
    const program = await start({ SHUTDOWN_DRAIN_MS: '1500' });
    const kept = await Wire.open(url);
    expect((await kept.write(list).answer()).headers.get('Connection')).to.equal('keep-alive');
    const slow = await Wire.open(url);
    const body = '{"name":"Tea","price":{"amount":1,"currency":"EUR"}}';
    const post = jsonText('POST /v1/products', [credential({ token })], body);
    slow.write(post.slice(0, -10));
    expect(await readiness()).to.equal('200 ready\n');
    program.signal('SIGTERM');
    await untilStopping();
    expect((await fetch(`${ops}/livez`)).status).to.equal(200);
    for (const wire of [kept, await Wire.open(url)]) {
      const answer = await wire.write(list).answer();
      expect([answer.status, answer.headers.get('Connection')]).to.deep.equal([200, 'close']);
      await wire.closed();
    }
    expect(program.code).to.equal(undefined);
    // Its request began before the listener closed, and still completes.
    await until(
      () =>
        Wire.open(url).then(
          (wire) => wire.destroy() === undefined,
          () => false,
        ),
      (isOpen) => !isOpen,
    );
    const answer = await slow.write(post.slice(-10)).answer();
    expect([answer.status, answer.headers.get('Connection')]).to.deep.equal([201, 'close']);
    expect(await program.ended()).to.equal(0);
    expect(program.errors).to.equal('');
  });

  it('on SIGINT skips the drain, and closes idle connections cleanly', async () => {
    const program = await start({ SHUTDOWN_DRAIN_MS: '600000' });
    const idle = await Wire.open(url);
    await idle.write(list).answer();
    const silent = await Wire.open(url);
    program.signal('SIGINT');
    await Promise.all([idle.closed(), silent.closed()]);
    expect(await program.ended()).to.equal(0);
  });

  it('on SIGHUP is the same as on SIGTERM', async () => {
    const program = await start({ SHUTDOWN_DRAIN_MS: '500' });
    program.signal('SIGHUP');
    await untilStopping();
    expect(await program.ended()).to.equal(0);
  });

  it('is the same for a server whose banner could not be written', async () => {
    const opsPort = await freePort();
    const environment = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: `${opsPort}`, ADMIN_API_KEY: token };
    const program = run({ environment, outputFile: '/dev/full' });
    ops = `http://127.0.0.1:${opsPort}`;
    await until(
      () => readiness().catch(String),
      (said) => said === '200 ready\n',
      startTimeoutMs,
    );
    program.signal('SIGINT');
    expect(await program.ended()).to.equal(0);
  });

  it('closes the database when the demonstration keys could not be written', async () => {
    const file = place('full.db');
    const environment = { DATABASE_URL: `sqlite:${file}`, PORT: '0', OPS_PORT: '0', SEED_DEMO: '1' };
    const program = run({ environment, outputFile: '/dev/full' });
    expect(await program.ended()).to.equal(1);
    expect(program.errors).to.match(
      /^portico: standard output cannot be used: no space left on device \(ENOSPC\)\.$/m,
    );
    // The last connection to close moves the write-ahead log into the file.
    expect(existsSync(`${file}-wal`)).to.equal(false);
  });

  it('is immediate on a second signal', async () => {
    const program = await start({ SHUTDOWN_DRAIN_MS: '600000' });
    program.signal('SIGTERM');
    await untilStopping();
    const insisting = setInterval(() => program.signal('SIGTERM'), 200);
    expect(await program.ended()).to.equal(143);
    clearInterval(insisting);
  });

  it('waits for a client that never finishes its request, and finally responds 503', async () => {
    const program = await start({ SHUTDOWN_DRAIN_MS: '0' });
    const wire = await Wire.open(url);
    wire.write(jsonText('POST /v1/products', [credential({ token })], '{}').slice(0, -1));
    expect((await fetch(`${url}/v1/products`)).status).to.equal(401);
    program.signal('SIGTERM');
    const answer = await wire.answer();
    expectProblem(answer, '503 SERVICE_UNAVAILABLE');
    expect(answer.body.error.message).to.match(/shutting down/);
    expect(answer.headers.get('Connection')).to.equal('close');
    await wire.closed();
    expect(await program.ended()).to.equal(0);
  });

  it('after an uncaught error logs it, serves clients to the end, and exits with 1', async () => {
    const preloaded = fileURLToPath(new URL('rejecting.mjs', import.meta.url));
    const program = await start({ SHUTDOWN_DRAIN_MS: '1000' }, ['--import', preloaded]);
    program.signal('SIGUSR2');
    await untilStopping();
    expect((await fetch(`${url}/v1/products`)).status).to.equal(401);
    program.signal('SIGUSR2');
    expect(await program.ended()).to.equal(1);
    const [line = '', ...more] = program.errors.trimEnd().split('\n');
    expect(JSON.parse(line)).to.deep.include({ level: 60 });
    expect(line).to.include('No handler for this.');
    expect(more.length).to.be.at.most(1);
  });

  it('kills the process when a file operation hangs, which Node would wait for', async () => {
    const pipe = place('pipe');
    execFileSync('mkfifo', [pipe]);
    const preloaded = fileURLToPath(new URL('stuck.mjs', import.meta.url));
    const program = await start({ STUCK_AT: pipe, SHUTDOWN_DRAIN_MS: '0' }, ['--import', preloaded]);
    program.signal('SIGTERM');
    expect(await program.ended()).to.equal(null);
  });

  it('is immediate while the start waits for its database', async () => {
    const silent = await occupy();
    const asked = once(silent, 'connection');
    const program = run({
      environment: {
        DATABASE_URL: `postgres://ada:word@127.0.0.1:${portOf(silent)}/shop`,
        PORT: '0',
        OPS_PORT: '0',
      },
    });
    await asked;
    program.signal('SIGTERM');
    // A start that fails later would end with 1.
    expect(await program.ended()).to.equal(143);
    silent.close();
  });
});
