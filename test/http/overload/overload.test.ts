import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { listen } from '#adapters/http/server/server.ts';
import { endOfTurn } from '#adapters/support/time.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { headers, LimitedServer } from '../support/limited-server.ts';
import { expectProblem } from '../support/protocol.ts';
import { requestText, Wire } from '../support/wire.ts';

const get = requestText('GET /v1/products', ['X-Request-Id: mine"\\']);
const busy = '503 SERVICE_UNAVAILABLE';

describe('An overloaded server (load shedding)', () => {
  const server = ofEachTest(() => new LimitedServer());

  it('rejects requests with 503 and Retry-After, keeps the connection, and recovers', async () => {
    await server.start();
    await server.occupy(2);
    const late = await Wire.open(server.url);
    for (let time = 0; time < 3; time += 1) {
      const answer = await late.write(get).answer();
      expectProblem(answer, busy);
      expect(answer.headers.get('Retry-After')).to.equal('1');
      expect(answer.headers.get('Connection')).to.equal('keep-alive');
      expect(answer.body.request_id).to.equal('mine"\\');
    }
    const head = await late.write(requestText('HEAD /v1/products')).answer(true);
    expect(head.status).to.equal(503);
    expect(server.shed).to.deep.equal(new Array(4).fill('in-flight'));
    server.held.shift()?.end();
    await server.time.until(
      async () => (await late.write(get).answer()).status,
      (status) => status === 200,
    );
    late.destroy();
  });

  it('rejects before the body has arrived, and closes the connection rather than read a long body', async () => {
    await server.start();
    await server.occupy(2);
    for (const [line, connection] of [
      ['Content-Length: 100', 'keep-alive'],
      ['Content-Length: 100000', 'close'],
      ['Transfer-Encoding: chunked', 'close'],
    ] as const) {
      const wire = await Wire.open(server.url);
      const answer = await wire.write(requestText('POST /v1/orders', [line])).answer();
      expectProblem(answer, busy);
      expect(answer.headers.get('Connection')).to.equal(connection);
      wire.destroy();
    }
  });

  it('rejects a request with Expect in place of 100 Continue', async () => {
    await server.start();
    const expectant = requestText('POST /v1/orders', ['Expect: 100-continue', 'Content-Length: 4']);
    const wire = await Wire.open(server.url);
    await server.occupy(2);
    expectProblem(await wire.write(expectant).answer(), busy);
    await wire.closed();
  });

  for (const isSecure of [false, true])
    it(`keeps no place for a hundred clients that reset their connections at once, over HTTP${isSecure ? 'S' : ''}`, async () => {
      await server.start({ isSecure, maxInFlight: 100 });
      for (let round = 1; round <= 5; round += 1) {
        const wires = await Promise.all(Array.from({ length: 100 }, () => server.open()));
        for (const wire of wires) wire.write(requestText('GET /held'));
        await server.untilHeld(100 * round);
        const late = await server.open();
        expectProblem(await late.write(get).answer(), busy);
        for (const wire of wires) wire.reset();
        await server.time.until(
          async () => (await late.write(get).answer()).status,
          (status) => status === 200,
        );
        late.destroy();
      }
    });

  it('logs status 499 for a client that disconnects in the queue', async () => {
    await server.start({ maxInFlight: 100 });
    const open = async (): Promise<Wire> => {
      const wire = await Wire.open(server.url);
      expect((await wire.write(get).answer()).status).to.equal(200);
      return wire;
    };
    const others = await Promise.all(Array.from({ length: 20 }, open));
    const abandoned = await open();
    for (const wire of others) wire.write(requestText('GET /long'));
    abandoned.write(requestText('GET /long', ['X-Request-Id: abandoned']));
    abandoned.destroy();
    for (const wire of others) await wire.answer();
    const gone = await server.time.until(
      async () => server.entries,
      ({ length }) => length > 0,
    );
    expect(gone).to.have.lengthOf(1);
    expect(gone[0]).to.include({ requestId: 'abandoned', route: 'unlooked', status: 499, ending: 'aborted' });
    expect(gone[0]?.milliseconds).to.be.above(0);
    for (const wire of others) wire.destroy();
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
    let ended = 0;
    const handle: RequestListener = (_, response) => {
      const body = Buffer.from('text');
      response.once('close', () => {
        ended += 1;
      });
      sent.push(new WeakRef(body), new WeakRef(response));
      response.end(body);
    };
    const listener = await listen(handle, { host: '127.0.0.1', port: 0, headers });
    const wire = await Wire.open(listener.url);
    for (let time = 0; time < 3; time += 1) await wire.write(get).answer();
    // The client can have a response before the server knows that it is sent.
    while (ended < 3) await endOfTurn();
    for (let turn = 0; turn < 10; turn += 1) await endOfTurn();
    collectGarbage();
    const kept = sent.filter((one) => one.deref() !== undefined);
    wire.destroy();
    await listener.close();
    expect([sent.length, kept.length]).to.deep.equal([6, 0]);
  });
});
