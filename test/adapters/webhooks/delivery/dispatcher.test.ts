import { once } from 'node:events';
import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import { Dispatcher } from '#adapters/webhooks/delivery/dispatcher.ts';
import type { WebhookDeliveries } from '#application/webhooks/deliveries.ts';
import type { EnqueuedDeliveries } from '#application/webhooks/enqueue-deliveries.ts';
import type { EventId } from '#domain/event-id.ts';
import { WebhookDelivery, type WebhookDeliveryId } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint, type WebhookSecretId } from '#domain/webhooks/endpoint.ts';
import { machineClock, newId } from '../../../support/machine.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';

const at = machineClock.now();

const nothing: EnqueuedDeliveries = { count: 0, isReplay: false, lag: 0, hasMore: false };

const anEndpoint = (): WebhookEndpoint =>
  WebhookEndpoint.create(
    newId(),
    { url: 'https://example.com/', ...WebhookEndpoint.defaults },
    { id: newId(), hint: 'whsec_AAAA…', sealed: 'sealed' },
    at,
  );

const manyDeliveries = ({ id: endpointId }: WebhookEndpoint): Map<WebhookDeliveryId, WebhookDelivery> => {
  const due = new Map<WebhookDeliveryId, WebhookDelivery>();
  for (let sequence = 1; sequence <= 1_000; sequence += 1) {
    const event = { eventId: newId<EventId>(), eventType: 'order.paid', sequence, trigger: 'event' } as const;
    const delivery = WebhookDelivery.create(newId(), { endpointId, ...event }, at);
    due.set(delivery.id, delivery);
  }
  return due;
};

/**
 * A dispatcher with one endpoint, to which many deliveries are due. Each attempt succeeds at once.
 * @param silentCount how many further endpoints there are, with as many deliveries, whose receivers never answer
 */
const aDispatcher = (enqueue: WebhookDeliveries['enqueue'], attemptMs = 1, silentCount = 0) => {
  const endpoint = anEndpoint();
  const due = manyDeliveries(endpoint);
  const silent = Array.from({ length: silentCount }, anEndpoint);
  const dueToSilent = new Map(silent.map((each) => [each.id, [...manyDeliveries(each).values()]]));
  const counts = { attempts: 0, handOvers: 0, reads: 0, unanswered: 0, checks: 0 };
  const state = { isEnabled: true, endpoint };
  /** The version of the endpoint that each attempt was made with. */
  const versions: number[] = [];
  let last = 0;
  const dispatcher = new Dispatcher({
    observer: {
      ...{ failing: () => undefined, lag: () => undefined },
      warn: (message) => expect.fail(message),
    },
    report: (error) => expect.fail(String(error)),
    deliveries: {
      acquireLease: async () => true,
      enabledEndpoints: async () => {
        const enabled = state.isEnabled ? [...silent, state.endpoint] : [];
        return enabled.map((each) => ({ endpoint: each, failures: 0, failingMs: 0 }));
      },
      hastenAfterClockRollback: async () => undefined,
      disableAbandoned: async () => undefined,
      resealSecrets: async () => {
        counts.checks += 1;
      },
      feed: async () => {
        last += 1;
        return { id: 'feed', first: 1, last };
      },
      enqueue: async (...given) => {
        counts.handOvers += 1;
        return enqueue(...given);
      },
      ready: async ({ id }, limit) => {
        counts.reads += 1;
        return (dueToSilent.get(id) ?? [...due.values()]).slice(0, limit);
      },
      attempt: async (given, { id }, signal) => {
        if (given.id !== endpoint.id) {
          counts.unanswered += 1;
          await once(signal, 'abort');
          return undefined;
        }
        counts.attempts += 1;
        versions.push(given.version);
        await sleep(attemptMs);
        const attempt = { at, statusCode: 204, error: null, durationMs: 1, random: 0 };
        return { id, endpoint, attempt };
      },
      record: async (_, ended) => {
        for (const { id } of ended) due.delete(id);
      },
    },
  });
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const ended = dispatcher.run(stopping.signal, givingUp.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    if (silentCount > 0) givingUp.abort();
    await ended;
  };
  stops.push(stop);
  const enable = (isEnabled: boolean): void => {
    state.isEnabled = isEnabled;
  };
  const addSecret = (): void => {
    const { defaultSecretOverlap: overlap } = WebhookEndpoint;
    const secret = { id: newId<WebhookSecretId>(), hint: 'whsec_BBBB…', sealed: 'sealed too' };
    state.endpoint = WebhookEndpoint.addSecret(endpoint, secret, overlap, at);
  };
  const cancel = (): void => due.clear();
  return { counts, versions, wake: dispatcher.wake, stop, enable, addSecret, cancel };
};

const stops: (() => Promise<void>)[] = [];

describe('The process that delivers webhooks', () => {
  let time: SimulatedTime;
  let news: NodeJS.Timeout | undefined;
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(async () => {
    clearInterval(news);
    await time.settle(Promise.all(stops.splice(0).map((stop) => stop())));
    time.end();
  });

  it('goes on with attempts while events are enqueued, however long that takes', async () => {
    const { counts } = aDispatcher(async () => {
      await sleep(20_000);
      return nothing;
    });
    await time.passUntil(() => counts.attempts === 1_000, 5_000);
    expect(counts.handOvers).to.equal(1);
  });

  it('keeps room for an endpoint, although others never answer', async () => {
    for (const silentCount of [4, 19]) {
      const enqueue = async () => nothing;
      const { counts } = aDispatcher(enqueue, 1, silentCount);
      await time.passUntil(() => counts.attempts === 1_000, 5_000, 1);
      expect(counts.unanswered, 'all other room is used').to.equal(62);
    }
  });

  it('ends the enqueueing before it stops', async () => {
    let isHandedOver = false;
    const { counts, stop } = aDispatcher(async () => {
      await sleep(50);
      isHandedOver = true;
      return nothing;
    });
    await time.passUntil(() => counts.handOvers > 0, 1_000);
    await time.settle(stop());
    expect(isHandedOver).to.equal(true);
  });

  it('reads ahead again when that is used up, not with each event', async () => {
    const { counts, wake } = aDispatcher(async () => ({ ...nothing, count: 1 }), 20);
    news = setInterval(wake, 1);
    await time.passUntil(() => counts.attempts === 1_000, 5_000);
    expect(counts.reads).to.be.at.most(1_000 / 50);
  });

  it('sends nothing of what it has read ahead once an endpoint is disabled, and goes on when it is enabled', async () => {
    const { counts, enable } = aDispatcher(async () => nothing, 100);
    await time.passUntil(() => counts.attempts > 0, 1_000);
    enable(false);
    // The endpoints are polled four times a second.
    await time.pass(260, 10);
    const { attempts } = counts;
    await time.pass(1_000, 10);
    expect(counts.attempts).to.equal(attempts);
    enable(true);
    await time.pass(260, 10);
    expect(counts.attempts).to.be.greaterThan(attempts);
  });

  it('signs by a new secret at most a quarter of a second after another process has added it', async () => {
    const { counts, versions, addSecret } = aDispatcher(async () => nothing, 20);
    await time.passUntil(() => counts.attempts > 0, 1_000, 1);
    addSecret();
    await time.pass(100, 1);
    expect(versions.at(-1)).to.equal(1);
    await time.pass(160, 1);
    expect(versions.at(-1)).to.equal(2);
  });

  it('sends nothing of what it has read ahead once that was canceled, because the position was set back', async () => {
    let isReplay = false;
    const { counts, wake, cancel } = aDispatcher(async () => ({ ...nothing, count: 1, isReplay }), 50);
    await time.passUntil(() => counts.attempts > 0, 1_000);
    cancel();
    isReplay = true;
    const { handOvers } = counts;
    wake();
    await time.passUntil(() => counts.handOvers > handOvers + 1, 1_000);
    const { attempts } = counts;
    await time.pass(1_000);
    expect(counts.attempts).to.equal(attempts);
  });

  it('leaves an endpoint that has enough deliveries alone for a quarter of a second, whatever happens', async () => {
    const { counts, wake } = aDispatcher(async () => ({ ...nothing, lag: 5 }));
    news = setInterval(wake, 1);
    await time.pass(10_000, 5);
    expect(counts.handOvers).to.be.within(38, 42);
  });

  it('hands events over together that happen within a fiftieth of a second', async () => {
    const { counts, wake } = aDispatcher(async () => nothing);
    await time.pass(1_000, 10);
    // Right after a poll, so that the next one does not come in between.
    const { handOvers: looks } = counts;
    await time.passUntil(() => counts.handOvers > looks, 300, 1);
    await time.pass(30, 1);
    const { handOvers } = counts;
    const expectMore = async (passMs: number, expected: number): Promise<void> => {
      await time.pass(passMs, 1);
      expect(counts.handOvers - handOvers).to.equal(expected);
    };
    wake();
    await expectMore(1, 1);
    wake();
    await expectMore(18, 1);
    await expectMore(4, 2);
    news = setInterval(wake, 1);
    await time.pass(1_000, 1);
    expect(counts.handOvers - handOvers).to.be.within(46, 56);
  });

  it('looks once a minute for secrets under an older key', async () => {
    const { counts } = aDispatcher(async () => nothing);
    await time.pass(190_000, 1_000);
    expect(counts.checks).to.equal(4);
  });
});
