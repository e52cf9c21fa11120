import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { AccessLogEntry } from '#adapters/http/request/access-log-entry.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { notifyResponded } from '#adapters/http/server/node-response.ts';
import type { Overload } from '#adapters/http/server/overload/admission-control.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { until } from '../../support/until.ts';
import { certificate } from '../support/certificate.ts';
import { allowedOrigin, expectProblem } from '../support/protocol.ts';
import { Session } from '../support/session.ts';
import { requestText, Wire } from '../support/wire.ts';

const headers = commonHeaders({
  origin: allowedOrigin,
  methods: 'GET, POST, PUT, DELETE',
  headers: 'Content-Type, Authorization',
});
const get = requestText('GET /v1/products', ['X-Request-Id: mine"\\']);
const busy = '503 SERVICE_UNAVAILABLE';

const secure = { cert: certificate.cert, key: certificate.key };

/** Blocks the event loop. */
const work = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

describe('An overloaded server (load shedding)', () => {
  const shed: Overload[] = [];
  const entries: AccessLogEntry[] = [];
  const held: ServerResponse[] = [];
  const storeDelay = { read: 0, change: 0 };
  let listener: Listener;

  const start = async (
    tls?: { readonly cert: string; readonly key: string },
    maxInFlight = 2,
    timing: { readonly checkIntervalMs?: number } = { checkIntervalMs: 100 },
  ) => {
    const handle: RequestListener = ({ url }, response) => {
      if (url === '/held') {
        held.push(response);
        return;
      }
      if (url === '/long') work(5);
      if (url === '/short') work(0.1);
      notifyResponded(response);
      response.end(url === '/body' ? 'text' : '');
    };
    listener = await listen(handle, {
      host: '127.0.0.1',
      port: 0,
      headers,
      tls,
      limits: {
        maxInFlight,
        storeDelay: (purpose) => storeDelay[purpose],
        onShed: (reason) => shed.push(reason),
      },
      onRejected: (entry) => entries.push(entry),
      ...timing,
    });
  };
  beforeEach(() => {
    shed.length = 0;
    entries.length = 0;
    held.length = 0;
    Object.assign(storeDelay, { read: 0, change: 0 });
  });
  afterEach(async () => {
    for (const response of held) response.end();
    await listener.close();
  });

  const occupy = async (count: number): Promise<void> => {
    const wires = await Promise.all(Array.from({ length: count }, () => Wire.open(listener.url)));
    const before = held.length;
    for (const wire of wires) wire.write(requestText('GET /held'));
    await until(
      async () => held.length,
      (length) => length === before + count,
    );
  };

  it('rejects requests with 503 and Retry-After, keeps the connection, and recovers', async () => {
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
    expect(shed).to.deep.equal(new Array(4).fill('in-flight'));
    held.shift()?.end();
    await until(
      async () => (await late.write(get).answer()).status,
      (status) => status === 200,
    );
    late.destroy();
  });

  it('rejects before the body has arrived, and closes the connection rather than read a long body', async () => {
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

  it('rejects a request with Expect in place of 100 Continue', async () => {
    await start();
    const expectant = requestText('POST /v1/orders', ['Expect: 100-continue', 'Content-Length: 4']);
    const wire = await Wire.open(listener.url);
    await occupy(2);
    expectProblem(await wire.write(expectant).answer(), busy);
    await wire.closed();
  });

  it('rejects on HTTP/2 too', async () => {
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

  it('does not count unread responses as in flight, and ends an HTTP/2 session with many of them (slow reader)', async () => {
    await start(secure);
    const slowReader = await Session.open(listener.url, certificate.cert, 'a-token', {
      initialWindowSize: 0,
    });
    const streams = Array.from({ length: 20 }, () => slowReader.begin('GET', '/body'));
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    const session = await Session.open(listener.url, certificate.cert, 'a-token');
    expect((await session.ask('GET', '/body')).text).to.equal('text');
    await slowReader.closed;
    expect((await session.ask('GET', '/body')).text).to.equal('text');
    session.close();
  });

  it('by default checks every second for slow readers', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      await start(secure, 2, {});
      const slowReader = await Session.open(listener.url, certificate.cert, 'a-token', {
        initialWindowSize: 0,
      });
      const streams = Array.from({ length: 20 }, () => slowReader.begin('GET', '/body'));
      await Promise.all(streams.map((stream) => once(stream, 'response')));
      // The first check finds the session, five more find that it makes no progress.
      for (let second = 0; second < 6; second += 1) mock.timers.tick(1_000);
      await slowReader.closed;
    } finally {
      mock.timers.reset();
    }
  });

  it('ends a session of a slow reader that has got only rejections', async () => {
    await start(secure, 0);
    const slowReader = await Session.open(listener.url, certificate.cert, 'a-token', {
      initialWindowSize: 0,
    });
    for (let count = 0; count < 20; count += 1) {
      const tunnel = { ':authority': 'a.test:1', ':path': undefined };
      const stream = count % 2 ? slowReader.begin('GET', '/body') : slowReader.begin('CONNECT', '', tunnel);
      await once(stream, 'response');
    }
    await slowReader.closed;
  });

  it('logs status 499 for a client that disconnects in the queue', async () => {
    await start(undefined, 100);
    const open = async (): Promise<Wire> => {
      const wire = await Wire.open(listener.url);
      expect((await wire.write(get).answer()).status).to.equal(200);
      return wire;
    };
    const others = await Promise.all(Array.from({ length: 20 }, open));
    const abandoned = await open();
    for (const wire of others) wire.write(requestText('GET /long'));
    abandoned.write(requestText('GET /long', ['X-Request-Id: abandoned']));
    abandoned.destroy();
    for (const wire of others) await wire.answer();
    const gone = await until(
      async () => entries,
      ({ length }) => length > 0,
    );
    expect(gone).to.have.lengthOf(1);
    expect(gone[0]).to.include({ requestId: 'abandoned', route: 'unlooked', status: 499, ending: 'aborted' });
    expect(gone[0]?.milliseconds).to.be.above(0);
    for (const wire of others) wire.destroy();
  });

  it('admits a burst of 300 short requests', async () => {
    await start(undefined, 1_000);
    const wires = await Promise.all(Array.from({ length: 300 }, () => Wire.open(listener.url)));
    for (const wire of wires) wire.write(requestText('GET /short'));
    for (const wire of wires) expect((await wire.answer()).status).to.equal(200);
    for (const wire of wires) wire.destroy();
    expect(shed).to.deep.equal([]);
  });

  it('never sheds with fewer than 32 requests in flight, however slow the store is', async () => {
    await start(undefined, 1_000);
    await occupy(31);
    Object.assign(storeDelay, { read: 10_000, change: 10_000 });
    const wire = await Wire.open(listener.url);
    for (let time = 0; time < 20; time += 1) {
      expect((await wire.write(get).answer()).status).to.equal(200);
      await pause(40);
    }
    wire.destroy();
    expect(shed).to.deep.equal([]);
  });

  it('admits a burst while the store is slow, and sheds when that lasts', async () => {
    await start(undefined, 1_000);
    Object.assign(storeDelay, { read: 150, change: 150 });
    await occupy(300);
    const wire = await Wire.open(listener.url);
    await until(
      async () => (await wire.write(get).answer()).status,
      (status) => status === 503,
    );
    wire.destroy();
    expect(shed).to.deep.equal(['store']);
  });

  it('admits the next burst once the first has been served', async () => {
    await start(undefined, 1_000);
    Object.assign(storeDelay, { read: 150, change: 150 });
    await occupy(300);
    await pause(600);
    const wire = await Wire.open(listener.url);
    expect((await wire.write(get).answer()).status).to.equal(503);
    for (const response of held.splice(0)) {
      notifyResponded(response);
      response.end();
    }
    expect((await wire.write(get).answer()).status).to.equal(200);
    await occupy(300);
    wire.destroy();
    expect(shed).to.deep.equal(['store']);
  });

  it('sheds a part of a burst that the store would serve too late', async () => {
    await start(undefined, 1_000);
    Object.assign(storeDelay, { read: 1_000, change: 1_000 });
    await occupy(128);
    const wire = await Wire.open(listener.url);
    expect((await wire.write(get).answer()).status).to.equal(503);
    wire.destroy();
    expect(shed).to.deep.equal(['store']);
  });

  it('keeps serving reads when only writes are delayed, and recovers', async () => {
    await start(undefined, 1_000);
    await occupy(130);
    storeDelay.change = 1_000;
    const wire = await Wire.open(listener.url);
    const post = requestText('POST /v1/products', ['Content-Length: 0']);
    expect((await wire.write(get).answer()).status).to.equal(200);
    expect((await wire.write(post).answer()).status).to.equal(503);
    expect((await wire.write(get).answer()).status).to.equal(200);
    storeDelay.change = 0;
    expect((await wire.write(post).answer()).status).to.equal(200);
    wire.destroy();
    expect(shed).to.deep.equal(['store']);
  });

  it('sheds when the queue of the event loop would delay a request for too long', async () => {
    await start(undefined, 1_000);
    const wires = await Promise.all(Array.from({ length: 300 }, () => Wire.open(listener.url)));
    // The service time is known once some have been served.
    const statuses: number[] = [];
    const askTwice = async (wire: Wire): Promise<void> => {
      for (const _ of [1, 2]) statuses.push((await wire.write(requestText('GET /long')).answer()).status);
    };
    await Promise.all(wires.map(askTwice));
    expect(new Set(statuses)).to.deep.equal(new Set([200, 503]));
    expect(statuses.filter((status) => status === 200)).to.have.length.within(300, 520);
    for (const wire of wires) wire.destroy();
    expect(new Set(shed)).to.deep.equal(new Set(['event-loop']));
  });
});

describe('A rejected request', () => {
  it('gets its response without an onRejected callback too', async () => {
    const limits = { maxInFlight: 0, storeDelay: () => 0 };
    const listener = await listen(() => undefined, { host: '127.0.0.1', port: 0, headers, limits });
    const wire = await Wire.open(listener.url);
    expect((await wire.write(get).answer()).status).to.equal(503);
    wire.destroy();
    await listener.close();
  });
});

describe('A request with a short body', () => {
  it('is handled when its body has arrived', async () => {
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

describe('Sent responses', () => {
  it('are not retained by their kept-alive connections', async () => {
    const sent: WeakRef<object>[] = [];
    const handle: RequestListener = (_, response) => {
      const body = Buffer.from('text');
      sent.push(new WeakRef(body), new WeakRef(response));
      response.end(body);
    };
    const listener = await listen(handle, { host: '127.0.0.1', port: 0, headers });
    const wire = await Wire.open(listener.url);
    for (let time = 0; time < 3; time += 1) await wire.write(get).answer();
    await pause(5);
    collectGarbage();
    const kept = sent.filter((one) => one.deref() !== undefined);
    wire.destroy();
    await listener.close();
    expect([sent.length, kept.length]).to.deep.equal([6, 0]);
  });
});
