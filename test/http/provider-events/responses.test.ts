import { expect } from 'chai';
import { endOfTurn } from '#adapters/support/time.ts';
import type { ReceivedProviderEvent } from '#application/reconciliation/receive-provider-event.ts';
import { forEachCase } from '../../support/for-each-case.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { Listening, path } from './listening.ts';

/** A time that no test of these waits for. */
const minuteMs = 60_000;

describe('The listener for events of the payment provider', () => {
  let listening: Listening;
  beforeEach(async () => {
    listening = await Listening.open();
  });
  afterEach(() => listening.close());

  const responses: Readonly<Record<ReceivedProviderEvent, number>> = {
    accepted: 204,
    unknown_type: 204,
    malformed: 400,
    forged: 401,
    stale: 401,
  };
  it('responds to an event by what became of it, and counts it', () =>
    forEachCase(Object.entries(responses), async ([outcome, status]) => {
      const { reconciled } = listening;
      listening.receive = async () => outcome as ReceivedProviderEvent;
      const response = await listening.post('{}');
      expect(response.status).to.equal(status);
      expect(await response.text()).to.match(status === 204 ? /^$/ : /^[A-Z][^\n]+\.\n$/);
      expect(response.headers.get('WWW-Authenticate')).to.equal(status === 401 ? 'Signature' : null);
      expect(response.headers.get('Cache-Control')).to.equal('no-store');
      expect(await listening.count(outcome)).to.equal(1);
      expect(listening.reconciled - reconciled).to.equal(outcome === 'accepted' ? 1 : 0);
    }));

  it('hands over the bytes and the headers as they came, whatever type they are said to be', async () => {
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    for (const type of ['application/json; charset=utf-8', 'text/plain', 'nonsense'])
      expect((await listening.post(body, { 'A-Signature': 'of it', 'Content-Type': type })).status).to.equal(
        204,
      );
    expect(listening.received).to.have.lengthOf(3);
    for (const event of listening.received) {
      expect(Buffer.from(event.body).equals(body)).to.equal(true);
      expect(event.headers).to.include({ 'a-signature': 'of it' });
    }
  });

  it('responds 503 with Retry-After when the event could not be stored', async () => {
    listening.receive = async () => {
      throw new Error('The disk is full.');
    };
    const response = await listening.post('{}');
    expect(response.status).to.equal(503);
    expect(response.headers.get('Retry-After')).to.match(/^[1-9]$/);
    expect(await response.text())
      .to.match(/Send it again/)
      .and.not.match(/disk/);
    expect(listening.reconciled).to.equal(0);
    expect(await listening.count('not_stored')).to.equal(1);
    expect(listening.warnings).to.have.lengthOf(1);
    expect(listening.warnings[0]).to.have.nested.property('err.message', 'The disk is full.');
    expect(listening.warnings[0]).to.include({ clientAddress: '127.0.0.1' });
  });

  it('has no other path and no other method', async () => {
    for (const other of ['/', '/provider-events/', '/Provider-Events', '/v1/products', '/metrics']) {
      const response = await fetch(`${listening.url}${other}`, { method: 'POST', body: '{}' });
      expect(response.status, other).to.equal(404);
      expect(await response.text()).to.equal('This listener serves only POST /provider-events.\n');
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(`${listening.url}${path}`, { method });
      expect(response.status, method).to.equal(405);
      expect(response.headers.get('Allow')).to.equal('POST');
      expect(await response.text()).to.equal(method === 'HEAD' ? '' : 'This path supports only POST.\n');
    }
    expect(listening.received).to.deep.equal([]);
    expect((await fetch(`${listening.url}${path}?a=b`, { method: 'POST', body: '{}' })).status).to.equal(204);
  });

  it('responds 503 when the event is not stored in time, and reconciles when it is stored later', async () => {
    const time = new SimulatedTime();
    const slow = await Listening.open({ REQUEST_TIMEOUT_MS: '10000' });
    const stored = Promise.withResolvers<void>();
    slow.receive = async () => {
      await stored.promise;
      return 'accepted';
    };
    try {
      const response = slow.post('{}');
      while (slow.received.length === 0) await endOfTurn();
      time.reach(9_999);
      await endOfTurn();
      expect(await slow.count('not_stored')).to.equal(0);
      time.reach(1);
      await endOfTurn();
      expect(await slow.count('not_stored')).to.equal(1);
      expect((await response).status).to.equal(503);
      expect(slow.reconciled).to.equal(0);
      stored.resolve();
      await endOfTurn();
      expect(slow.reconciled).to.equal(1);
      expect([await slow.count('not_stored'), await slow.count('accepted')]).to.deep.equal([1, 0]);
    } finally {
      time.end();
      await slow.close();
    }
  });

  it('receives 64 events at once, and responds 503 with Retry-After to more', async () => {
    const stored = Promise.withResolvers<void>();
    listening.receive = async () => {
      await stored.promise;
      return 'accepted';
    };
    const all = Array.from({ length: 70 }, () => listening.post('{}'));
    const rejected: Response[] = [];
    for (const each of all) void each.then((response) => rejected.push(response));
    while (listening.received.length + rejected.length < all.length) await endOfTurn();
    expect(rejected).to.have.lengthOf(6);
    for (const { status, headers } of rejected) {
      expect(status).to.equal(503);
      expect(headers.get('Retry-After')).to.match(/^[1-9]$/);
    }
    expect(await listening.count('too_many')).to.equal(6);
    expect(listening.warnings).to.have.lengthOf(1);
    stored.resolve();
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).to.have.lengthOf(64);
    expect((await listening.post('{}')).status).to.equal(204);
  });

  it('stores what has arrived before it closes', async () => {
    const stored = Promise.withResolvers<void>();
    listening.receive = async () => {
      await stored.promise;
      return 'accepted';
    };
    const response = listening.post('{}');
    while (listening.received.length === 0) await endOfTurn();
    listening.draining.abort();
    const closed = listening.close(minuteMs);
    stored.resolve();
    expect((await response).status).to.equal(204);
    await closed;
    expect(await listening.post('{}').catch(() => 'closed')).to.equal('closed');
  });

  it('accepts only what a proxy in front has received by HTTPS', async () => {
    const behindProxy = await Listening.open({ TRUST_PROXY: '1' });
    try {
      for (const [forwarded, status] of [
        ...([
          ['https', 204],
          ['HTTPS', 204],
          ['https, https', 204],
        ] as const),
        ...([
          ['http', 403],
          ['https, http', 403],
          ['', 403],
        ] as const),
      ])
        expect((await behindProxy.post('{}', { 'X-Forwarded-Proto': forwarded })).status).to.equal(status);
      expect((await behindProxy.post('{}')).status).to.equal(403);
      expect(behindProxy.received).to.have.lengthOf(3);
    } finally {
      await behindProxy.close();
    }
  });
});
