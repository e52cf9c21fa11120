import { expect } from 'chai';
import { certificate, tls } from '../../http/support/certificate.ts';
import { Client, type Json } from '../../http/support/client.ts';
import { credential, errorOnTheWire, requestText, Wire } from '../../http/support/wire.ts';
import { turnsUntil } from '../../support/turns.ts';
import { Apps, type RunningApp } from '../support/apps.ts';

const apps = new Apps();

describe('The access log behind a proxy', () => {
  afterEach(() => apps.end());

  it('has the address that the proxy added, and none that the client invented', async () => {
    const { app, log } = await apps.start({ DATABASE_URL: 'memory:', LOG_LEVEL: 'info', TRUST_PROXY: '1' });
    const cases = [
      ['198.51.100.1', '198.51.100.1'],
      ['10.9.9.9, 198.51.100.2', '198.51.100.2'],
      ['198.51.100.3,2001:db8::1', '2001:db8::1'],
      ['10.9.9.9, not an address', '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const;
    for (const [index, [header]] of cases.entries()) {
      const headers = { 'X-Request-Id': `forwarded-${index}`, 'X-Forwarded-For': header };
      await fetch(`${app.url}/v1/products`, { headers });
    }
    const lines = () => log.lines.filter(({ requestId }) => `${requestId}`.startsWith('forwarded-'));
    await turnsUntil(() => lines().length === cases.length);
    expect(lines().map(({ clientAddress }) => clientAddress)).to.deep.equal(
      cases.map(([, address]) => address),
    );
  });
});

/** The access log: one line for each request. */
describe('The access log', () => {
  let server: RunningApp;
  before(async () => {
    server = await apps.start({ DATABASE_URL: 'memory:', LOG_LEVEL: 'info', PAYMENT_TIMEOUT_MS: '20' });
  });
  after(() => apps.end());

  const lines = (): readonly Json[] => server.log.lines;

  const lineOf = async (isIt: (line: Json) => boolean): Promise<Json> => {
    await turnsUntil(() => lines().some(isIt));
    const found = lines().filter(isIt);
    expect(found).to.have.lengthOf(1);
    return found[0];
  };

  const called = (requestId: string) =>
    lineOf((line) => line.requestId === requestId && line.route !== undefined);
  const as = (requestId: string) => ({ 'X-Request-Id': requestId });

  it('has the caller, the route pattern and the outcome', async () => {
    await server.client.get('/v1/products/of-no-product?limit=1', as('a-read'));
    const line = await called('a-read');
    expect(line).to.include({
      level: 30,
      method: 'GET',
      route: '/v1/products/{id}',
      status: 422,
      msg: 'answered',
    });
    expect(line.keyId).to.equal('00000000-0000-0000-0000-000000000000');
    expect(line.userId).to.match(/^[0-9a-f-]{36}$/);
    expect(line.durationMs).to.be.within(0.01, 60_000);
    expect(JSON.stringify(line)).not.to.include('of-no-product').and.not.include('limit');
  });

  it('names a caller only after authentication', async () => {
    const stranger = new Client(() => server.client.base, undefined);
    await stranger.get('/v1/products', as('a-stranger'));
    const line = await called('a-stranger');
    expect(line).to.include({ route: '/v1/products', status: 401 });
    expect(line).not.to.have.any.keys('keyId', 'userId', 'traceId');
  });

  it('says why a request was rejected, and who sent it', async () => {
    const { base } = server.client;
    await fetch(`${base}/v1/products`, {
      headers: {
        ...as('rejected'),
        'User-Agent': `probe "1" ${'x'.repeat(300)}`,
        'X-Forwarded-For': '198.51.100.1',
      },
    });
    expect(await called('rejected')).to.include({
      status: 401,
      code: 'UNAUTHORIZED',
      clientAddress: '127.0.0.1',
      userAgent: `probe "1" ${'x'.repeat(190)}`,
    });
    await errorOnTheWire(base, requestText('GET /v1/products', ['X-Request-Id: twice', 'Host: other.test']));
    expect(await called('twice')).to.include({ code: 'BAD_REQUEST', clientAddress: '127.0.0.1' });
    await errorOnTheWire(
      base,
      requestText('CONNECT a.test:1', ['X-Request-Id: connect', 'User-Agent: probe']),
    );
    expect(await called('connect')).to.include({
      code: 'METHOD_NOT_ALLOWED',
      clientAddress: '127.0.0.1',
      userAgent: 'probe',
    });
    await server.client.get('/v1/products?limit=1', as('accepted'));
    expect(await called('accepted')).not.to.have.any.keys('code');
  });

  it('shows no unknown path', async () => {
    await server.client.get('/v1/a-secret-in-the-wrong-place', as('unknown'));
    expect((await called('unknown')).route).to.equal('unmatched');
    expect(server.log.text).not.to.include('wrong-place');
  });

  it('reports an internal error in a line of its own, before that of the request', async () => {
    const product = await server.client.post('/v1/products', {
      name: 'Tea',
      price: { amount: 350, currency: 'EUR' },
    });
    const order = { product_id: product.body.data.id, quantity: 1 };
    const orderId = (await server.client.post('/v1/orders', order)).body.data.id;
    const payment = { order_id: orderId, payment_method: 'tok_timeout' };
    const headers = { ...as('a-failure'), 'Idempotency-Key': 'a-key' };
    await server.client.post('/v1/payments', payment, headers);
    expect(await called('a-failure')).to.include({ route: '/v1/payments', status: 504, level: 30 });
    const [failure, answered, ...more] = lines().filter(({ requestId }) => requestId === 'a-failure');
    expect(failure).to.include({ level: 50, msg: 'A request failed.', orderId });
    const [{ id: paymentId }] = (await server.client.get(`/v1/payments?order_id=${orderId}`)).body.data;
    expect(failure.paymentId).to.equal(paymentId);
    expect(failure.err).to.include({ type: 'ApplicationError', kind: 'provider-timeout' });
    expect(answered.status).to.equal(504);
    expect(more).to.deep.equal([]);
  });

  it('reports a client that disconnected', async () => {
    const wire = await Wire.open(server.client.base);
    const length = 'Content-Length: 100';
    const headers = ['X-Request-Id: impatient', `Authorization: Bearer ${server.client.token}`];
    wire.write(
      `${requestText('POST /v1/products', [...headers, 'Content-Type: application/json', length])}{`,
    );
    wire.destroy();
    expect(await called('impatient')).to.include({ route: '/v1/products', status: 499, msg: 'aborted' });
  });

  it('has a line for what could not be parsed as a request', async () => {
    const answer = await errorOnTheWire(server.client.base, 'GET /v1/products HTTP/1.1\r\nbroken\r\n\r\n');
    const line = await called(answer.headers.get('X-Request-Id') ?? '');
    expect(line).to.include({
      method: 'other',
      route: 'unreadable',
      status: 400,
      msg: 'refused',
      durationMs: 0,
    });
  });

  it('has exactly one line for each of many concurrent requests', async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => server.client.get('/v1/products', as(`many-${index}`))),
    );
    const idsOf = () => lines().flatMap(({ requestId: id }) => (`${id}`.startsWith('many-') ? [id] : []));
    await turnsUntil(() => idsOf().length >= 100);
    const ids = idsOf();
    expect(ids).to.have.lengthOf(100);
    expect(new Set(ids).size).to.equal(100);
  });
});

describe('The access log of HTTPS', () => {
  after(() => apps.end());

  it('tells complete responses from clients that disconnected, and has their addresses', async () => {
    const { app, client, log } = await apps.start({ DATABASE_URL: 'memory:', LOG_LEVEL: 'info', ...tls });
    const wire = await Wire.open(app.url, certificate.cert);
    const headers = (id: string) => [credential(client), `X-Request-Id: ${id}`];
    await wire.write(requestText('GET /v1/products', headers('patient'))).answer();
    const body = [...headers('impatient'), 'Content-Type: application/json', 'Content-Length: 100'];
    wire.write(requestText('POST /v1/products', [...body, 'Expect: 100-continue']));
    // The interim response shows that the body is being read.
    await wire.answer();
    wire.reset();
    for (const [requestId, status, msg] of [
      ['patient', 200, 'answered'],
      ['impatient', 499, 'aborted'],
    ] as const) {
      const found = () => log.lines.find((line) => line.requestId === requestId && line.method !== undefined);
      await turnsUntil(() => found() !== undefined);
      const clientAddress = '127.0.0.1';
      expect(found()).to.include({ route: '/v1/products', status, msg, clientAddress });
    }
  });
});
