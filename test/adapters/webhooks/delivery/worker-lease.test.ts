import { once } from 'node:events';
import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { startWebhookWorker } from '#adapters/webhooks/delivery/worker.ts';
import type { WebhookDeliveries } from '#application/webhooks/deliveries.ts';
import { acquireWebhookLease } from '#application/webhooks/lease.ts';
import type { EventId } from '#domain/event-id.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { type SealedSecret, WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { machineClock, newId } from '../../../support/machine.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';

const [leaseMs, intervalMs, stopTimeoutMs] = [10_000, 3_000, 2_000];

const secret: SealedSecret = { id: newId(), hint: 'whsec_AAAA…', sealed: 'sealed' };
const details = { url: 'https://example.com/', ...WebhookEndpoint.defaults };
const endpoint = WebhookEndpoint.create(newId(), details, secret, machineClock.now());
const event = { eventId: newId<EventId>(), eventType: 'order.paid', sequence: 1, trigger: 'event' } as const;
const delivery = WebhookDelivery.create(newId(), { endpointId: endpoint.id, ...event }, machineClock.now());

type AcquireLease = WebhookDeliveries['acquireLease'];

describe('The lease of the process that delivers webhooks', () => {
  let time: SimulatedTime;
  let acquireLease: AcquireLease;
  const running: { stop(): Promise<void> }[] = [];
  beforeEach(async () => {
    time = new SimulatedTime();
    const { unitOfWork } = await openMemory();
    const clock = { now: () => Instant.at(1_700_000_000_000 + Math.floor(time.now)) };
    acquireLease = (holder, ttlMs) => acquireWebhookLease({ unitOfWork, clock }, holder, ttlMs);
  });
  afterEach(async () => {
    await time.settle(Promise.all(running.splice(0).map((worker) => worker.stop())));
    time.end();
  });

  /** A worker with one endpoint whose receiver never responds. */
  const start = (name: string, acquire: AcquireLease = acquireLease) => {
    const seen = { attempts: 0, givenUp: 0, reports: [] as unknown[] };
    const worker = startWebhookWorker({
      name,
      report: (error) => seen.reports.push(error),
      observer: {
        ...{ attempted: () => undefined, disabled: () => undefined, lost: () => undefined },
        ...{ lag: () => undefined, failing: () => undefined, warn: () => undefined },
      },
      deliveries: {
        acquireLease: acquire,
        enabledEndpoints: async () => [{ endpoint, failures: 0, failingMs: 0 }],
        hastenAfterClockRollback: async () => undefined,
        disableAbandoned: async () => undefined,
        resealSecrets: async () => undefined,
        feed: async () => ({ id: 'feed', first: 1, last: 1 }),
        enqueue: async () => ({ count: 0, isReplay: false, lag: 0, hasMore: false }),
        ready: async () => [delivery],
        attempt: async (_, __, signal) => {
          seen.attempts += 1;
          await once(signal, 'abort');
          seen.givenUp += 1;
          return undefined;
        },
        record: async () => undefined,
      },
    });
    running.push(worker);
    return { seen, stop: worker.stop };
  };

  it('lasts ten seconds, is renewed every three, and is released by a stop', async () => {
    const begun = time.now;
    const acquired: [number, number][] = [];
    const { stop } = start('only', async (_, ttlMs) => acquired.push([time.now - begun, ttlMs]) > 0);
    await time.pass(3 * intervalMs, 100);
    await time.settle(stop());
    expect(acquired.slice(0, 4)).to.deep.equal([0, 1, 2, 3].map((count) => [count * intervalMs, leaseMs]));
    expect(acquired.slice(4).map(([, ttlMs]) => ttlMs)).to.deep.equal([0]);
  });

  it('is acquired by another process within 20 seconds after its holder died', async () => {
    let isDead = false;
    const silence = Promise.withResolvers<boolean>();
    start('first', async (name, ttlMs) => (isDead ? silence.promise : acquireLease(name, ttlMs)));
    // The second tries just before the lease expires, and so waits another interval.
    await time.pass(900);
    const second = start('second');
    await time.pass(2 * intervalMs - 900);
    isDead = true;
    const died = time.now;
    await time.pass(leaseMs - 100);
    expect(second.seen.attempts).to.equal(0);
    await time.passUntil(() => second.seen.attempts > 0, 60_000);
    expect(time.now - died).to.be.most(leaseMs + intervalMs + 300);
    silence.resolve(true);
  });

  it('lets its holder deliver for seven seconds while it cannot be renewed, and no longer', async () => {
    const failure = new Error('The store is unavailable.');
    let fails = false;
    const { seen } = start('only', async (name, ttlMs) => {
      if (fails && ttlMs > 0) throw failure;
      return acquireLease(name, ttlMs);
    });
    await time.pass(intervalMs);
    fails = true;
    await time.pass(2 * intervalMs + 500);
    expect([seen.attempts > 0, seen.givenUp]).to.deep.equal([true, 0]);
    await time.pass(intervalMs);
    expect(seen.givenUp).to.equal(seen.attempts);
    expect(seen.reports).to.deep.equal([failure, failure, failure]);
  });

  it('ends at once for a process that another has succeeded', async () => {
    let isHeld = true;
    const { seen } = start('held up', async () => isHeld);
    await time.pass(500);
    expect(seen.givenUp).to.equal(0);
    isHeld = false;
    await time.pass(intervalMs);
    expect(seen.givenUp).to.equal(seen.attempts).and.be.greaterThan(0);
  });

  it('is kept by a stop for as long as requests are under way, two seconds at most', async () => {
    const { seen, stop } = start('only');
    await time.pass(500);
    let isStopped = false;
    void stop().then(() => {
      isStopped = true;
    });
    await time.pass(stopTimeoutMs - 100);
    expect([seen.givenUp, isStopped]).to.deep.equal([0, false]);
    expect(await acquireLease('another', leaseMs)).to.equal(false);
    await time.pass(200);
    expect([seen.givenUp, isStopped]).to.deep.equal([seen.attempts, true]);
    expect(await acquireLease('another', leaseMs)).to.equal(true);
  });
});
