import { expect } from 'chai';
import { freePort } from '../../bootstrap/support/ports.ts';
import { startServer } from '../../bootstrap/support/server.ts';
import type { Program } from '../../lab/program.ts';
import { Metrics } from '../../support/metrics.ts';
import { until } from '../../support/until.ts';
import type { Client } from '../support/client.ts';
import { expectError } from '../support/expectations.ts';
import { newOrder, newProduct, pay } from '../support/shop.ts';
import { credential, requestText, Wire } from '../support/wire.ts';

/** `test/http/overload/bursts.test.ts` tests the limits in simulated time. */
describe('A whole program with more requests than it can serve', () => {
  let program: Program;
  let operator: Client;
  let opsUrl: string;

  const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    const opsPort = await freePort();
    opsUrl = `http://127.0.0.1:${opsPort}`;
    const started = await startServer({ DATABASE_URL: 'memory:', OPS_PORT: `${opsPort}`, ...settings });
    program = started.program;
    operator = started.client;
  };
  afterEach(() => program.kill());

  const inFlight = async (): Promise<number> =>
    (await Metrics.of(opsUrl)).value('portico_http_requests_in_flight');

  it('sheds those beyond MAX_IN_FLIGHT, and serves again once others have ended', async () => {
    await start({ MAX_IN_FLIGHT: '2' });
    const product = await newProduct({ operator });
    const orders = [await newOrder(operator, product), await newOrder(operator, product)];
    const paying = Promise.all(orders.map((order) => pay(operator, order, 'tok_slow')));
    await until(inFlight, (count) => count === 2);
    const rejected = await operator.get('/v1/products');
    expectError(rejected, 'SERVICE_UNAVAILABLE');
    expect(rejected.headers.get('Retry-After')).to.equal('1');
    expect((await paying).map(({ status }) => status)).to.deep.equal([201, 201]);
    expect((await operator.get('/v1/products')).status).to.equal(200);
  });

  it('sheds a part of two thousand that arrive at once, and serves again afterwards', async () => {
    await start({});
    const wires = await Promise.all(Array.from({ length: 2_000 }, () => Wire.open(operator.base)));
    const get = requestText('GET /v1/products', [credential(operator)]);
    const statuses = new Set<number>();
    while (!statuses.has(503)) {
      for (const wire of wires) wire.write(get);
      for (const wire of wires) statuses.add((await wire.answer()).status);
    }
    expect([...statuses].toSorted()).to.deep.equal([200, 503]);
    expect((await operator.get('/v1/products')).status).to.equal(200);
    for (const wire of wires) wire.destroy();
  });
});
