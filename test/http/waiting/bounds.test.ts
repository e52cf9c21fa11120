import { expect } from 'chai';
import { Metrics } from '../../support/metrics.ts';
import { certificate, tls } from '../support/certificate.ts';
import type { ApiResponse, Client } from '../support/client.ts';
import { Service } from '../support/service.ts';
import { newProduct, tea } from '../support/shop.ts';
import { observed, untilWaiting as untilWaitingIn } from '../support/waiting.ts';
import { credential, jsonText, requestText, Wire } from '../support/wire.ts';

const maxPerCredential = 20;
const path = '/v1/events?start=latest';

describe('The requests that wait', () => {
  let service: Service;
  let staff: Client;
  before(async () => {
    service = new Service({ ...observed, MAX_WAITING: '25', MAX_IN_FLIGHT: '4' }, 'memory');
    await service.startInSimulatedTime();
    staff = await service.person('staff');
  });
  after(() => service.end());

  const read = (client: Client): Promise<ApiResponse> => client.get(path, { Prefer: 'wait=20' });
  const isApplied = ({ headers }: ApiResponse): boolean => headers.get('Preference-Applied') === 'wait=20';
  const gauge = async (name: string): Promise<number> =>
    (await Metrics.of(service.opsUrl)).value(`portico_http_requests_${name}`);
  const untilWaiting = (count: number): Promise<void> => untilWaitingIn(service, count);

  /** Begins to wait as often as that, one request after the other: no more than four may be in flight. */
  const waiters = async (client: Client, count: number): Promise<Promise<ApiResponse>[]> => {
    const before = await gauge('waiting');
    const waiting: Promise<ApiResponse>[] = [];
    for (let begun = 1; begun <= count; begun += 1) {
      waiting.push(read(client));
      await untilWaiting(before + begun);
    }
    return waiting;
  };

  it('are at most 20 of a credential: the next one is answered at once', async () => {
    const waiting = await waiters(staff, maxPerCredential);
    const [refused, milliseconds] = await service.time.during(read(staff));
    expect(refused.status).to.equal(200);
    expect(isApplied(refused)).to.equal(false);
    expect(refused.headers.get('Vary')).to.equal('Prefer');
    expect(milliseconds).to.be.below(1_000);
    await newProduct(service);
    expect((await Promise.all(waiting)).every(isApplied)).to.equal(true);
    await untilWaiting(0);
  });

  it('are at most MAX_WAITING of all credentials, and make room when they end', async () => {
    const other = await service.person('staff');
    const third = await service.person('staff');
    const waiting = [...(await waiters(staff, maxPerCredential)), ...(await waiters(other, 5))];
    expect(isApplied(await read(third))).to.equal(false);
    await newProduct(service);
    expect((await Promise.all(waiting)).every(isApplied)).to.equal(true);
    const again = await waiters(third, 1);
    await newProduct(service);
    expect((await Promise.all(again)).every(isApplied)).to.equal(true);
  });

  it('are not in flight, and others are served', async () => {
    const waiting = await waiters(staff, 8);
    expect(await gauge('in_flight')).to.equal(0);
    expect((await staff.get('/v1/products')).status).to.equal(200);
    await newProduct(service);
    await Promise.all(waiting);
    expect([await gauge('in_flight'), await gauge('waiting')]).to.deep.equal([0, 0]);
    // More would be shed if the count of requests in flight were wrong now.
    for (const _ of [1, 2]) {
      const four = await Promise.all([1, 2, 3, 4].map(() => staff.get('/v1/products')));
      expect(four.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    }
  });

  it('end when their client disconnects, and make room', async () => {
    const request = requestText(`GET ${path}`, [`Authorization: Bearer ${staff.token}`, 'Prefer: wait=30']);
    const wires: Wire[] = [];
    for (let count = 1; count <= maxPerCredential; count += 1) {
      wires.push((await Wire.open(service.url)).write(request));
      await untilWaiting(count);
    }
    expect(isApplied(await read(staff))).to.equal(false);
    for (const wire of wires.slice(1)) wire.destroy();
    wires[0]?.end();
    const lost = service.time.now;
    await untilWaiting(0);
    // Shorter than the time between two checks of a credential, at which a lost client is noticed anyway.
    expect(service.time.now - lost).to.be.below(2_000);
    expect(await gauge('in_flight')).to.equal(0);
    const labels = { method: 'GET', route: '/v1/events', status: '499' };
    const metrics = await Metrics.of(service.opsUrl);
    expect(metrics.value('portico_http_requests_total', labels)).to.equal(maxPerCredential);
    const again = await waiters(staff, 1);
    await newProduct(service);
    expect(isApplied(await (again[0] as Promise<ApiResponse>))).to.equal(true);
  });

  it('do not prolong the durations that metrics show', async () => {
    const labels = { method: 'GET', route: '/v1/events' };
    const read = async (what: string) =>
      (await Metrics.of(service.opsUrl)).value(`portico_http_request_duration_seconds_${what}`, labels);
    const [count, sum] = [await read('count'), await read('sum')];
    await service.time.during(staff.get(path, { Prefer: 'wait=2' }));
    await service.until(
      () => read('count'),
      (now) => now > count,
    );
    expect((await read('sum')) - sum).to.be.within(0, 1);
  });
});

describe('A connection on which a request waits, over HTTPS', () => {
  let service: Service;
  before(async () => {
    service = new Service({ ...observed, ...tls, MAX_IN_FLIGHT: '4' }, 'memory');
    await service.startInSimulatedTime();
  });
  after(() => service.end());

  const open = (): Promise<Wire> => Wire.open(service.url, certificate.cert);
  const ask = (line: string, ...headers: readonly string[]): string =>
    requestText(line, [credential(service.operator), ...headers]);
  const waiters = async (): Promise<Wire[]> => {
    const wires: Wire[] = [];
    for (let begun = 1; begun <= maxPerCredential; begun += 1) {
      wires.push((await open()).write(ask(`GET ${path}`, 'Prefer: wait=30')));
      await untilWaitingIn(service, begun);
    }
    return wires;
  };

  it('carries the next request behind the wait, and other connections are served meanwhile', async () => {
    const wires = await waiters();
    for (const wire of wires) wire.write(ask('GET /v1/products'));
    const other = await open();
    const [served, milliseconds] = await service.time.during(other.write(ask('GET /v1/products')).answer());
    expect(served.status).to.equal(200);
    expect(milliseconds).to.be.below(1_000);
    const body = JSON.stringify(tea);
    other.write(jsonText('POST /v1/products', [credential(service.operator)], body));
    expect((await other.answer()).status).to.equal(201);
    for (const wire of wires) {
      expect((await wire.answer()).body.data).to.have.length(1);
      expect((await wire.answer()).body.data).to.have.length(1);
      wire.destroy();
    }
    other.destroy();
  });

  it('ends its wait when the client resets it, or closes it', async () => {
    const wires = await waiters();
    for (const [place, wire] of wires.entries()) {
      if (place % 2) wire.reset();
      else wire.destroy();
    }
    const lost = service.time.now;
    await untilWaitingIn(service, 0);
    expect(service.time.now - lost).to.be.below(2_000);
  });
});
