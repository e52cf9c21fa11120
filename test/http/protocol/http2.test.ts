import { once } from 'node:events';
import { expect } from 'chai';
import { operatorKey } from '../../bootstrap/support/server-settings.ts';
import { certificate, tls } from '../support/certificate.ts';
import { expectCommonHeaders, expectProblem } from '../support/protocol.ts';
import { describeServiceOnMemory, Service } from '../support/service.ts';
import { responseOn, Session } from '../support/session.ts';
import { tea } from '../support/shop.ts';
import { credential, requestText, Wire } from '../support/wire.ts';

const twoHosts = { ':authority': 'a.test', host: 'other.test' };

describeServiceOnMemory('HTTP/2', tls, (service) => {
  let session: Session;
  const warnings: Error[] = [];
  const recordWarning = (warning: Error) => warnings.push(warning);
  const open = (url = service.url) => Session.open(url, certificate.cert, operatorKey);

  before(async () => {
    process.on('warning', recordWarning);
    session = await open();
  });
  after(() => {
    session.close();
    process.off('warning', recordWarning);
  });

  it('is negotiated by ALPN, with HTTP/1.1 on the same port for other clients', async () => {
    expect((await session.ask('GET', '/v1/products')).status).to.equal(200);
    for (const offered of [{}, { ALPNProtocols: ['http/1.1'] }]) {
      const wire = await Wire.open(service.url, certificate.cert, offered);
      const response = await wire
        .write(requestText('GET /v1/products', [credential(service.operator)]))
        .answer();
      expect(response.status).to.equal(200);
      wire.destroy();
    }
  });

  it('rejects methods in lower case, as HTTP/1.1 does', async () => {
    for (const method of ['get', 'Post']) {
      expectProblem(await session.ask(method, '/v1/products'), '400 BAD_REQUEST');
    }
  });

  it('gives the same responses as HTTP/1.1', async () => {
    const created = await session.ask('POST', '/v1/products', tea, { 'x-request-id': 'mine' });
    expect(created.status).to.equal(201);
    expectCommonHeaders(created);
    expect(created.headers.get('X-Request-Id')).to.equal('mine');
    expect(created.headers.get('X-RateLimit-Limit')).to.equal('1000000');
    const path = created.headers.get('Location') ?? '';
    const read = await session.ask('GET', path);
    expect(read.text).to.equal(created.text);
    const head = await session.ask('HEAD', path);
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers.get('Content-Length')).to.equal(`${Buffer.byteLength(read.text)}`);
    const known = await session.ask('GET', path, undefined, { 'if-none-match': '"1"' });
    expect([known.status, known.text, known.headers.get('ETag')]).to.deep.equal([304, '', '"1"']);
    const redirected = await session.ask('GET', '/products?limit=2');
    expect(redirected.status).to.equal(307);
    expect(redirected.headers.get('Location')).to.equal('/v1/products?limit=2');
    const options = await session.ask('OPTIONS', '/v1/products');
    expect([options.status, options.headers.get('Allow')]).to.deep.equal([204, 'OPTIONS, HEAD, GET, POST']);
  });

  it('executes concurrent requests with one idempotency key once', async () => {
    const ask = () => session.ask('POST', '/v1/products', tea, { 'idempotency-key': 'once' });
    const responses = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).to.have.lengthOf(1);
    expect(responses.filter(({ headers }) => headers.has('Idempotent-Replayed'))).to.have.lengthOf(19);
  });

  for (const [what, meaning, method, path, body, headers] of [
    ['an unknown path', '404 NOT_FOUND', 'GET', '/v1/nothing', undefined, {}],
    ['an unsupported method', '405 METHOD_NOT_ALLOWED', 'PUT', '/v1/products', tea, {}],
    [
      'an invalid credential',
      '401 UNAUTHORIZED',
      'GET',
      '/v1/products',
      undefined,
      { authorization: 'Bearer x' },
    ],
    ['broken JSON', '400 BAD_REQUEST', 'POST', '/v1/products', '{', {}],
    ['invalid fields', '422 VALIDATION_ERROR', 'POST', '/v1/products', {}, {}],
    [
      'an unsupported media type',
      '415 UNSUPPORTED_MEDIA_TYPE',
      'POST',
      '/v1/products',
      '{}',
      { 'content-type': 'a/b' },
    ],
    [
      'a body over 100 KiB',
      '413 PAYLOAD_TOO_LARGE',
      'POST',
      '/v1/products',
      { ...tea, description: 'a'.repeat(200_000) },
      {},
    ],
    [
      'a payment without an idempotency key',
      '400 IDEMPOTENCY_KEY_MISSING',
      'POST',
      '/v1/payments',
      paymentOf(),
      {},
    ],
    ['two credentials', '400 BAD_REQUEST', 'GET', '/v1/products', undefined, twice('authorization')],
    ['two idempotency keys', '400 BAD_REQUEST', 'POST', '/v1/products', tea, twice('idempotency-key')],
    [
      'a port that is no number',
      '400 BAD_REQUEST',
      'GET',
      '/v1/products',
      undefined,
      { ':authority': 'a.test:x' },
    ],
    ['two hosts', '400 BAD_REQUEST', 'GET', '/v1/products', undefined, twoHosts],
    ['an unknown expectation', '417 BAD_REQUEST', 'GET', '/v1/products', undefined, { expect: 'wonders' }],
    ['headers over 16 KiB', '431 BAD_REQUEST', 'GET', '/v1/products', undefined, { x: 'a'.repeat(17_000) }],
  ] as const) {
    it(`rejects what HTTP/1.1 rejects, and keeps the session (${what})`, async () => {
      expectProblem(await session.ask(method, path, body, { ...headers }), meaning);
      expect((await session.ask('GET', '/v1/products')).status).to.equal(200);
    });
  }

  it('rejects CONNECT', async () => {
    const stream = session.begin('CONNECT', '', { ':authority': 'a.test:1', ':path': undefined });
    expectProblem(await responseOn(stream), '405 METHOD_NOT_ALLOWED');
  });

  it('sends 100 Continue to a client that expects it', async () => {
    const stream = session.begin('POST', '/v1/products', {
      'content-type': 'application/json',
      expect: '100-continue',
    });
    await once(stream, 'continue');
    stream.end(JSON.stringify(tea));
    expect((await responseOn(stream)).status).to.equal(201);
  });

  it('does not wait for the rest of a rejected body', async () => {
    const stream = session.begin('POST', '/v1/products', { 'content-type': 'application/json' });
    stream.write('a'.repeat(150_000));
    expectProblem(await responseOn(stream), '413 PAYLOAD_TOO_LARGE');
  });

  it('ends a session that opens and resets streams rapidly, and no other session', async () => {
    const abuser = await open();
    let isClosed = false;
    abuser.closed.then(() => {
      isClosed = true;
    });
    for (let round = 0; round < 5_000 && !isClosed; round += 1) {
      try {
        abuser.begin('GET', '/v1/products').close(8);
      } catch {
        break;
      }
      if (round % 50 === 0) await session.ask('GET', '/v1/nothing');
    }
    await abuser.closed;
    expect((await session.ask('GET', '/v1/products')).status).to.equal(200);
  });

  it('sends GOAWAY on shutdown, and responds to the requests in flight', async () => {
    const other = new Service(tls, 'memory');
    await other.start();
    const last = await open(other.url);
    const stream = last.begin('POST', '/v1/products', { 'content-type': 'application/json' });
    const response = responseOn(stream);
    stream.write('{');
    await last.ask('GET', '/v1/products');
    const closing = other.end();
    await last.goaway;
    stream.end('"name":"Tea","price":{"amount":1,"currency":"EUR"}}');
    expect((await response).status).to.equal(201);
    await Promise.all([closing, last.closed]);
  });

  it('causes no warning of Node', async () => {
    // Node emits warnings in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).to.deep.equal([]);
  });
});

function paymentOf(): object {
  return { order_id: '00000000-0000-0000-0000-000000000000', payment_method: 'tok_ok' };
}

function twice(name: string): Record<string, string[]> {
  return { [name]: ['a', 'b'] };
}
