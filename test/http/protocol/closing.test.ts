import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { expect } from 'chai';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import { FlowingTime } from '../../support/flowing-time.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { certificate } from '../support/certificate.ts';
import { allowedOrigin, expectProblem } from '../support/protocol.ts';
import { requestText, Wire } from '../support/wire.ts';

const headers = commonHeaders({
  origin: allowedOrigin,
  methods: 'GET, POST, PUT, DELETE',
  headers: 'Content-Type, Authorization',
});
const get = requestText('GET /v1/products');

/** `/held` never gets a response, `/begun` never the end of one, `/slow` gets it after 100 ms. */
const handle: RequestListener = ({ url }, response) => {
  const respond = (): unknown => response.setHeader('Content-Length', 0).end();
  if (url === '/slow') setTimeout(respond, 100);
  else if (url === '/begun') response.setHeader('Content-Length', 10).write('a part');
  else if (url !== '/held') respond();
};

describe('Graceful shutdown', () => {
  const time = ofEachTest(() => new FlowingTime());

  const open = (tls?: { readonly cert: string; readonly key: string }): Promise<Listener> =>
    listen(handle, { host: '127.0.0.1', port: 0, headers, tls });

  /** Resolves when the server has accepted all earlier connections: it accepts them in order. */
  const openAccepted = async (url: string, ca?: string): Promise<Wire> => {
    const wire = await Wire.open(url, ca);
    expect((await wire.write(get).answer()).status).to.equal(200);
    return wire;
  };

  it('responds to a request that has arrived in part, and closes idle connections', async () => {
    const listener = await open();
    const slow = await Wire.open(listener.url);
    expect((await slow.write(get).answer()).status).to.equal(200);
    slow.write(get.slice(0, -10));
    const idle = await openAccepted(listener.url);
    const closing = listener.close();
    await idle.closed();
    const answer = await slow.write(get.slice(-10)).answer();
    expect([answer.status, answer.headers.get('Connection')]).to.deep.equal([200, 'close']);
    await Promise.all([slow.closed(), closing]);
  });

  it('sends the responses of all pipelined requests that have arrived, and closes behind the last', async () => {
    const listener = await open();
    const wire = await openAccepted(listener.url);
    const slow = requestText('GET /slow');
    wire.write(slow + slow);
    await openAccepted(listener.url);
    const closing = listener.close();
    wire.write(get);
    for (const isLast of [false, false, true]) {
      const { status, headers } = await wire.answer();
      expect([status, headers.get('Connection') === 'close']).to.deep.equal([200, isLast]);
    }
    await Promise.all([wire.closed(), closing]);
  });

  it('sends 503 or 408 to requests without a response 0.3 seconds before the timeout of eight', async () => {
    const listener = await open();
    const waiting = await Wire.open(listener.url);
    waiting.write(requestText('GET /held', ['X-Request-Id: mine']));
    const sending = await Wire.open(listener.url);
    sending.write(requestText('POST /held', ['Content-Length: 100']));
    const beginning = await Wire.open(listener.url);
    beginning.write(get.slice(0, -10));
    await openAccepted(listener.url);
    const begun = time.now;
    const closing = listener.close();
    await time.during(waiting.readable());
    expect(time.now - begun).to.be.within(7_600, 7_950);
    for (const [wire, meaning] of [
      [waiting, '503 SERVICE_UNAVAILABLE'],
      [sending, '503 SERVICE_UNAVAILABLE'],
      [beginning, '408 BAD_REQUEST'],
    ] as const) {
      const answer = await wire.answer();
      expectProblem(answer, meaning);
      expect(answer.headers.get('Connection')).to.equal('close');
      await wire.closed();
    }
    await closing;
  });

  it('cuts the connection of a response that does not end, at the timeout of eight seconds', async () => {
    const listener = await open();
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').on('error', () => undefined);
    socket.write(requestText('GET /begun'));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    const [, took] = await time.during(listener.close());
    await closed;
    expect(took).to.be.within(8_000, 8_100);
  });

  it('closes a connection whose TLS handshake ends during the shutdown', async () => {
    const listener = await open({ cert: certificate.cert, key: certificate.key });
    const { hostname, port } = new URL(listener.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const other = await openAccepted(listener.url, certificate.cert);
    let isClosed = false;
    const closing = listener.close().then(() => {
      isClosed = true;
    });
    await other.closed();
    expect(isClosed).to.equal(false);
    const secured = connectSecurely({ socket, host: hostname, ca: certificate.cert });
    await once(secured, 'secureConnect');
    await once(secured.resume(), 'end');
    await closing;
  });
});
