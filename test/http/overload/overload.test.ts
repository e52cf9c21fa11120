import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { AccessLogEntry } from '#adapters/http/request/access-log-entry.ts';
import { commonHeaders } from '#adapters/http/request/common-headers.ts';
import type { Overload } from '#adapters/http/server/overload/admission-control.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import { until } from '../../support/until.ts';
import { certificate } from '../support/certificate.ts';
import { expectProblem } from '../support/protocol.ts';
import { Session } from '../support/session.ts';
import { requestText, Wire } from '../support/wire.ts';

const headers = commonHeaders({
  origin: 'http://127.0.0.1:0',
  methods: 'GET, POST, PUT, DELETE',
  headers: 'Content-Type, Authorization',
});
const get = requestText('GET /v1/products', ['X-Request-Id: mine"\\']);
const busy = '503 SERVICE_UNAVAILABLE';

const secure = { cert: certificate.cert, key: certificate.key };

/** Lets nobody else do anything for so many milliseconds. */
const work = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

describe('A server that has too much to do', () => {
  const reasons: Overload[] = [];
  const told: AccessLogEntry[] = [];
  const held: ServerResponse[] = [];
  const storeDelay = { read: 0, change: 0 };
  let listener: Listener;

  const start = async (tls?: { readonly cert: string; readonly key: string }, maxInFlight = 2) => {
    const handle: RequestListener = ({ url }, response) => {
      if (url === '/held') {
        held.push(response);
        return;
      }
      if (url === '/long') work(5);
      if (url === '/short') work(0.1);
      response.end(url === '/said' ? 'said' : '');
    };
    listener = await listen(handle, {
      host: '127.0.0.1',
      port: 0,
      headers,
      tls,
      limits: {
        maxInFlight,
        storeDelay: (purpose) => storeDelay[purpose],
        onShed: (reason) => reasons.push(reason),
      },
      onRejected: (exchange) => told.push(exchange),
    });
  };
  beforeEach(() => {
    reasons.length = 0;
    told.length = 0;
    held.length = 0;
    Object.assign(storeDelay, { read: 0, change: 0 });
  });
  afterEach(async () => {
    for (const response of held) response.end();
    await listener.close();
  });

  const occupy = async (count: number): Promise<void> => {
    const wires = await Promise.all(Array.from({ length: count }, () => Wire.open(listener.url)));
    for (const wire of wires) wire.write(requestText('GET /held'));
    await until(
      async () => held.length,
      (length) => length === count,
    );
  };

  it('refuses in the envelope what comes then, keeps the connection, and takes it up again when there is time', async () => {
    await start();
    await occupy(2);
    const late = await Wire.open(listener.url);
    for (let time = 0; time < 3; time += 1) {
      const answer = await late.write(get).answer();
      expectProblem(answer, busy);
      expect(answer.headers.get('Retry-After')).to.equal('1');
      expect(answer.headers.get('Connection')).to.equal('keep-alive');
      expect(answer.body.request_id).to.equal('mine"\\');
    }
    const head = await late.write(requestText('HEAD /v1/products')).answer(true);
    expect(head.status).to.equal(503);
    expect(reasons).to.deep.equal(new Array(4).fill('in-flight'));
    held.shift()?.end();
    await until(
      async () => (await late.write(get).answer()).status,
      (status) => status === 200,
    );
    late.destroy();
  });

  it('does so before the body has come, and does not wait for a long one', async () => {
    await start();
    await occupy(2);
    for (const [line, connection] of [
      ['Content-Length: 100', 'keep-alive'],
      ['Content-Length: 100000', 'close'],
      ['Transfer-Encoding: chunked', 'close'],
    ] as const) {
      const wire = await Wire.open(listener.url);
      const answer = await wire.write(requestText('POST /v1/orders', [line])).answer();
      expectProblem(answer, busy);
      expect(answer.headers.get('Connection')).to.equal(connection);
      wire.destroy();
    }
  });

  it('does so instead of telling whoever asks for it to go on', async () => {
    await start();
    const expectant = requestText('POST /v1/orders', ['Expect: 100-continue', 'Content-Length: 4']);
    const wire = await Wire.open(listener.url);
    expect((await wire.write(expectant).answer()).status).to.equal(100);
    expect((await wire.write('true').answer()).status).to.equal(200);
    await occupy(2);
    expectProblem(await wire.write(expectant).answer(), busy);
    await wire.closed();
  });

  it('does so on HTTP/2 as well', async () => {
    await start(secure);
    const session = await Session.open(listener.url, certificate.cert, 'a-token');
    const streams = [session.begin('GET', '/held'), session.begin('GET', '/held')];
    await until(
      async () => held.length,
      (length) => length === 2,
    );
    expectProblem(await session.ask('GET', '/v1/products'), busy);
    for (const stream of streams) stream.close();
    session.close();
  });

  it('counts an answer for made that nobody reads, and soon ends a connection with many of them', async () => {
    await start(secure);
    const deaf = await Session.open(listener.url, certificate.cert, 'a-token', { initialWindowSize: 0 });
    const streams = Array.from({ length: 20 }, () => deaf.begin('GET', '/said'));
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    const session = await Session.open(listener.url, certificate.cert, 'a-token');
    expect((await session.ask('GET', '/said')).text).to.equal('said');
    await deaf.closed;
    expect((await session.ask('GET', '/said')).text).to.equal('said');
    session.close();
  });

  it('does not keep a connection for ever on which it has but refused', async () => {
    await start(secure, 0);
    const deaf = await Session.open(listener.url, certificate.cert, 'a-token', { initialWindowSize: 0 });
    for (let count = 0; count < 20; count += 1) {
      const tunnel = { ':authority': 'a.test:1', ':path': undefined };
      const stream = count % 2 ? deaf.begin('GET', '/said') : deaf.begin('CONNECT', '', tunnel);
      await once(stream, 'response');
    }
    await deaf.closed;
  });

  it('tells of whoever left while waiting for a turn', async () => {
    await start(undefined, 100);
    const open = async (): Promise<Wire> => {
      const wire = await Wire.open(listener.url);
      expect((await wire.write(get).answer()).status).to.equal(200);
      return wire;
    };
    const crowd = await Promise.all(Array.from({ length: 20 }, open));
    const impatient = await open();
    for (const wire of crowd) wire.write(requestText('GET /long'));
    impatient.write(requestText('GET /long', ['X-Request-Id: impatient']));
    impatient.destroy();
    for (const wire of crowd) await wire.answer();
    const gone = await until(
      async () => told,
      ({ length }) => length > 0,
    );
    expect(gone).to.have.lengthOf(1);
    expect(gone[0]).to.include({ requestId: 'impatient', route: 'unlooked', status: 499, ending: 'aborted' });
    expect(gone[0]?.milliseconds).to.be.above(0);
    for (const wire of crowd) wire.destroy();
  });

  it('refuses none of three hundred who come at once, and are soon done', async () => {
    await start(undefined, 1_000);
    const wires = await Promise.all(Array.from({ length: 300 }, () => Wire.open(listener.url)));
    for (const wire of wires) wire.write(requestText('GET /short'));
    for (const wire of wires) expect((await wire.answer()).status).to.equal(200);
    for (const wire of wires) wire.destroy();
    expect(reasons).to.deep.equal([]);
  });

  it('lets a handful wait for the store, however long that takes', async () => {
    await start(undefined, 1_000);
    await occupy(31);
    Object.assign(storeDelay, { read: 10_000, change: 10_000 });
    const wire = await Wire.open(listener.url);
    for (let time = 0; time < 20; time += 1) {
      expect((await wire.write(get).answer()).status).to.equal(200);
      await pause(40);
    }
    wire.destroy();
    expect(reasons).to.deep.equal([]);
  });

  it('lets a crowd wait that comes at once, and refuses who comes while that lasts', async () => {
    await start(undefined, 1_000);
    await occupy(100);
    Object.assign(storeDelay, { read: 1_000, change: 1_000 });
    const wire = await Wire.open(listener.url);
    expect((await wire.write(get).answer()).status).to.equal(200);
    await until(
      async () => (await wire.write(get).answer()).status,
      (status) => status === 503,
    );
    wire.destroy();
    expect(reasons).to.deep.equal(['store']);
  });

  it('goes on serving those who read, where they do not wait for those who change something', async () => {
    await start(undefined, 1_000);
    await occupy(100);
    storeDelay.change = 1_000;
    const wire = await Wire.open(listener.url);
    await until(
      async () => {
        expect((await wire.write(get).answer()).status).to.equal(200);
        return (await wire.write(requestText('POST /v1/products', ['Content-Length: 0'])).answer()).status;
      },
      (status) => status === 503,
    );
    expect((await wire.write(get).answer()).status).to.equal(200);
    wire.destroy();
    expect(reasons).to.deep.equal(['store']);
  });
});

describe('Somebody who is turned away', () => {
  it('is answered where nobody is told of it, too', async () => {
    const limits = { maxInFlight: 0, storeDelay: () => 0 };
    const listener = await listen(() => undefined, { host: '127.0.0.1', port: 0, headers, limits });
    const wire = await Wire.open(listener.url);
    expect((await wire.write(get).answer()).status).to.equal(503);
    wire.destroy();
    await listener.close();
  });
});

describe('Somebody who brings a short body', () => {
  it('is served when it is there', async () => {
    const bodies: string[] = [];
    const handle: RequestListener = (request, response) => {
      bodies.push(`${request.complete} ${request.read()}`);
      response.end();
    };
    const limits = { maxInFlight: 2, storeDelay: () => 0 };
    const listener = await listen(handle, { host: '127.0.0.1', port: 0, headers, limits });
    const wire = await Wire.open(listener.url);
    await wire.write(requestText('POST /v1/products', ['Content-Length: 4'], 'true')).answer();
    wire.destroy();
    await listener.close();
    expect(bodies).to.deep.equal(['true true']);
  });
});

describe('Answers that have left', () => {
  it('are kept by nobody afterwards, though their connections are', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const bodies: WeakRef<Buffer>[] = [];
    const handle: RequestListener = (_, response) => {
      const body = Buffer.from('said');
      bodies.push(new WeakRef(body));
      response.end(body);
    };
    const listener = await listen(handle, { host: '127.0.0.1', port: 0, headers });
    const wire = await Wire.open(listener.url);
    for (let time = 0; time < 3; time += 1) await wire.write(get).answer();
    await pause(5);
    collectGarbage();
    const kept = bodies.map((body) => body.deref());
    wire.destroy();
    await listener.close();
    expect(kept).to.deep.equal([undefined, undefined, undefined]);
  });
});
