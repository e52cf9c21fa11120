import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { type Portico, type PorticoError, portico } from '#adapters/http/client/index.ts';
import { freePort } from '../bootstrap/support/ports.ts';
import { forEachCase } from '../support/for-each-case.ts';
import { TurningTime } from './turning-time.ts';

interface Retry {
  readonly code: string;
  readonly attempt: number;
  readonly delay: number;
}

const payment = { order_id: '01890000-0000-7000-8000-000000000000', payment_method: 'tok_ok' };

describe('The client of a server that is unavailable', () => {
  const time = new TurningTime();
  /** The URLs, by what the server does. */
  const urls: Record<string, string> = {};
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  /** How many requests the server has rejected with 503 and 429. */
  let rejected = 0;

  const listen = async (name: string, server: Server): Promise<void> => {
    servers.push(server.on('connection', (socket: Socket) => sockets.add(socket)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  /** Rejects each request. */
  const rejecting = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
    createHttpServer((_request, response) => {
      rejected += 1;
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify({ error: { code, message: 'Later.' }, request_id: 'one' }));
    });

  before(async () => {
    urls['refuses connections'] = `http://127.0.0.1:${await freePort()}`;
    await listen(
      'accepts and never responds',
      createServer((socket) => socket.once('data', () => socket.once('close', time.hold()))),
    );
    await listen(
      'closes each connection',
      createServer((socket) => socket.destroy()),
    );
    await listen('responds 503 for ever', rejecting(503, 'SERVICE_UNAVAILABLE'));
    await listen(
      'asks for more time than a call has',
      rejecting(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '30' }),
    );
    await listen('limits the rate', rejecting(429, 'RATE_LIMITED', { 'Retry-After': '6' }));
  });

  after(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });

  const client = (name: string, settings: object = {}) =>
    portico({ url: urls[name] ?? '', key: 'a-key', ...settings });

  const errorOf = async (answer: Promise<object>): Promise<PorticoError> => {
    const { error } = (await answer) as { readonly error: PorticoError };
    return error;
  };

  /** The error of a call, and when its last retry began, in milliseconds after the call. */
  const failing = async (name: string, call: (shop: Portico) => Promise<object>) => {
    const begunAt = time.now;
    let lastRetryMs = 0;
    const onRetry = (_error: PorticoError, _attempt: number, delay: number) => {
      lastRetryMs = time.now - begunAt + delay;
    };
    const error = await errorOf(call(client(name, { onRetry })));
    return { error, lastRetryMs };
  };

  it('gives up reading in five seconds', async () => {
    const reads = [
      [
        'refuses connections',
        'UNREACHABLE',
        /^No response \(ECONNREFUSED\)\. Check that the server runs at /,
      ],
      [
        'accepts and never responds',
        'UNREACHABLE',
        /^No response within 5000 ms\. Check that the server runs/,
      ],
      ['closes each connection', 'UNREACHABLE', /Check that the server runs at http:\/\/127\.0\.0\.1:\d+\.$/],
      ['responds 503 for ever', 'SERVICE_UNAVAILABLE', /^Later\.$/],
    ] as const;
    await Promise.all(
      reads.map(async ([name, code, message]) => {
        const { error, lastRetryMs } = await failing(name, (shop) => shop.send('GET /orders'));
        expect(error.code, name).to.equal(code);
        expect(error.message, name).to.match(message);
        expect(lastRetryMs, name).to.be.at.most(5_000);
      }),
    );
  });

  it('gives up writing in a minute, and waits half as long for a response', async () => {
    const { error, lastRetryMs } = await failing('responds 503 for ever', (shop) =>
      shop.send('POST /payments', { body: payment }),
    );
    expect(error.code).to.equal('SERVICE_UNAVAILABLE');
    // The next delay, of five seconds at most, would have ended later.
    expect(lastRetryMs).to.be.within(55_000, 60_000);
    const silent = client('accepts and never responds', { retryForMilliseconds: 0 });
    const { message } = await errorOf(silent.send('POST /payments', { body: payment }));
    expect(message).to.match(/^No response within 30000 ms\./);
  });

  it('does not wait for a Retry-After that a read has no time for', async () => {
    const shop = client('asks for more time than a call has');
    const takenMs = await time.taken(async () => {
      expect(await errorOf(shop.send('GET /products'))).to.include({ retryAfterSeconds: 30 });
    });
    expect(takenMs).to.be.lessThan(5_000);
  });

  it('waits to read as long as the rate limit says', async () => {
    const controller = new AbortController();
    const retries: number[] = [];
    const shop = client('limits the rate', {
      onRetry: (_error: PorticoError, _attempt: number, delay: number) => {
        retries.push(delay);
        controller.abort();
      },
    });
    await shop.send('GET /orders', { signal: controller.signal }).catch(() => undefined);
    expect(retries).to.have.length(1);
    expect(retries[0]).to.be.within(6_000, 6_100);
  });

  it('tells of each retry of a write', () =>
    forEachCase(
      [
        ['refuses connections', 'UNREACHABLE'],
        ['closes each connection', 'UNREACHABLE'],
        ['responds 503 for ever', 'SERVICE_UNAVAILABLE'],
      ] as const,
      async ([name, code]) => {
        const retries: Retry[] = [];
        const begunAt = time.now;
        const onRetry = (error: PorticoError, attempt: number, delay: number) => {
          retries.push({ code: error.code, attempt, delay });
          expect(time.now - begunAt + delay).to.be.at.most(1_500);
        };
        const shop = client(name, { onRetry, totalMilliseconds: 1_500 });
        const error = await errorOf(shop.send('POST /payments', { body: payment }));
        expect(error).to.include({ code, isFinal: false });
        expect(error.idempotencyKey).to.be.a('string');
        expect(retries.map(({ attempt }) => attempt)).to.deep.equal(
          retries.map((_retry, place) => place + 1),
        );
        expect(retries.length).to.be.greaterThan(1);
        for (const retry of retries) {
          expect(retry.code).to.equal(code);
          expect(retry.delay).to.be.within(0, 1_500);
        }
      },
    ));

  it('ends a call with all its attempts within totalMilliseconds', async () => {
    for (const [name, settings] of [
      ['accepts and never responds', {}],
      ['accepts and never responds', { timeoutMilliseconds: 200 }],
      ['accepts and never responds', { timeoutMilliseconds: Number.MAX_VALUE, retryForMilliseconds: 0 }],
      ['refuses connections', { retryForMilliseconds: 60_000 }],
    ] as const) {
      const shop = client(name, settings);
      const write = async () => {
        const error = await errorOf(shop.send('POST /payments', { body: payment, totalMilliseconds: 600 }));
        expect(error).to.have.property('code', 'UNREACHABLE');
      };
      const read = async () => {
        const error = await errorOf(shop.send('GET /orders', { totalMilliseconds: 600 }));
        expect(error).to.have.property('status', 0);
      };
      for (const call of [write, read]) expect(await time.taken(call), name).to.be.lessThan(800);
    }
  });

  it('replaces the options of the client for one call', async () => {
    const calls: string[] = [];
    const shop = client('responds 503 for ever', {
      totalMilliseconds: 60_000,
      onRetry: () => calls.push('client'),
    });
    await shop.send('GET /orders', { totalMilliseconds: 500, onRetry: () => calls.push('call') });
    expect(new Set(calls)).to.deep.equal(new Set(['call']));
  });

  it('ends a call with what onRetry throws', async () => {
    const shop = client('responds 503 for ever');
    rejected = 0;
    const enough = new Error('Enough.');
    const onRetry = () => {
      throw enough;
    };
    const call = shop.send('POST /payments', { body: payment, onRetry });
    expect(await call.catch((error) => error)).to.equal(enough);
    expect(rejected).to.equal(1);
  });
});
