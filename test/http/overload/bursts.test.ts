import { expect } from 'chai';
import { notifyResponded } from '#adapters/http/request/node-response.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { LimitedServer } from '../support/limited-server.ts';
import { requestText, Wire } from '../support/wire.ts';

const get = requestText('GET /v1/products', ['X-Request-Id: mine"\\']);

describe('A server under a burst of requests (load shedding)', () => {
  const server = ofEachTest(() => new LimitedServer());

  it('admits a burst of 300 short requests', async () => {
    await server.start({ maxInFlight: 1_000 });
    const wires = await Promise.all(Array.from({ length: 300 }, () => Wire.open(server.url)));
    for (const wire of wires) wire.write(requestText('GET /short'));
    for (const wire of wires) expect((await wire.answer()).status).to.equal(200);
    for (const wire of wires) wire.destroy();
    expect(server.shed).to.deep.equal([]);
  });

  it('never sheds with fewer than 32 requests in flight, however slow the store is', async () => {
    await server.start({ maxInFlight: 1_000 });
    await server.occupy(31);
    Object.assign(server.storeDelay, { read: 10_000, change: 10_000 });
    const wire = await Wire.open(server.url);
    for (let time = 0; time < 20; time += 1) {
      expect((await wire.write(get).answer()).status).to.equal(200);
      await server.time.pass(40);
    }
    wire.destroy();
    expect(server.shed).to.deep.equal([]);
  });

  it('admits a burst while the store is slow, and sheds when that lasts for half a second', async () => {
    await server.start({ maxInFlight: 1_000 });
    Object.assign(server.storeDelay, { read: 150, change: 150 });
    const begun = server.time.now;
    await server.occupy(300);
    const wire = await Wire.open(server.url);
    await server.time.until(
      async () => (await wire.write(get).answer()).status,
      (status) => status === 503,
    );
    expect(server.time.now - begun).to.be.within(500, 900);
    wire.destroy();
    expect(server.shed).to.deep.equal(['store']);
  });

  it('admits the next burst once the first has been served', async () => {
    await server.start({ maxInFlight: 1_000 });
    Object.assign(server.storeDelay, { read: 150, change: 150 });
    await server.occupy(300);
    await server.time.pass(600);
    const wire = await Wire.open(server.url);
    expect((await wire.write(get).answer()).status).to.equal(503);
    for (const response of server.held.splice(0)) {
      notifyResponded(response);
      response.end();
    }
    expect((await wire.write(get).answer()).status).to.equal(200);
    await server.occupy(300);
    wire.destroy();
    expect(server.shed).to.deep.equal(['store']);
  });

  it('sheds a part of a burst that the store would serve too late', async () => {
    await server.start({ maxInFlight: 1_000 });
    Object.assign(server.storeDelay, { read: 250, change: 250 });
    await server.occupy(128);
    const wire = await Wire.open(server.url);
    expect((await wire.write(get).answer()).status).to.equal(503);
    wire.destroy();
    expect(server.shed).to.deep.equal(['store']);
  });

  it('counts what comes while 32 requests are left in flight to the burst before', async () => {
    await server.start({ maxInFlight: 1_000 });
    Object.assign(server.storeDelay, { read: 150, change: 150 });
    await server.occupy(300);
    await server.time.pass(600);
    for (const response of server.held.splice(0, 260)) {
      notifyResponded(response);
      response.end();
    }
    await server.occupy(88);
    const wire = await Wire.open(server.url);
    expect((await wire.write(get).answer()).status).to.equal(503);
    wire.destroy();
  });

  it('keeps serving reads when only writes are delayed, and recovers', async () => {
    await server.start({ maxInFlight: 1_000 });
    await server.occupy(130);
    server.storeDelay.change = 1_000;
    const wire = await Wire.open(server.url);
    const post = requestText('POST /v1/products', ['Content-Length: 0']);
    expect((await wire.write(get).answer()).status).to.equal(200);
    expect((await wire.write(post).answer()).status).to.equal(503);
    expect((await wire.write(get).answer()).status).to.equal(200);
    server.storeDelay.change = 0;
    expect((await wire.write(post).answer()).status).to.equal(200);
    wire.destroy();
    expect(server.shed).to.deep.equal(['store']);
  });

  it('sheds when the queue of the event loop would delay a request for too long', async () => {
    await server.start({ maxInFlight: 1_000 });
    const wires = await Promise.all(Array.from({ length: 300 }, () => Wire.open(server.url)));
    // The service time is known once some have been served.
    const statuses: number[] = [];
    const askTwice = async (wire: Wire): Promise<void> => {
      for (const _ of [1, 2]) statuses.push((await wire.write(requestText('GET /long')).answer()).status);
    };
    await Promise.all(wires.map(askTwice));
    expect(new Set(statuses)).to.deep.equal(new Set([200, 503]));
    expect(statuses.filter((status) => status === 200)).to.have.length.within(300, 520);
    for (const wire of wires) wire.destroy();
    expect(new Set(server.shed)).to.deep.equal(new Set(['event-loop']));
  });
});
