import { expect } from 'chai';
import { EndpointQueue } from '#adapters/webhooks/delivery/endpoint-queue.ts';
import type { EndedDelivery } from '#application/webhooks/record-attempts.ts';
import type { EventId } from '#domain/event-id.ts';
import { WebhookDelivery, type WebhookDeliveryId, type WebhookTrigger } from '#domain/webhooks/delivery.ts';
import { type SealedSecret, WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { machineClock, newId } from '../../../support/machine.ts';
import { ofEachTest } from '../../../support/of-each-test.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';

const at = machineClock.now();
const secret: SealedSecret = { id: newId(), hint: 'whsec_AAAA…', sealed: 'sealed' };
const endpoint = WebhookEndpoint.create(
  newId(),
  { url: 'https://example.com/', ...WebhookEndpoint.defaults, ordering: 'sequential' },
  secret,
  at,
);
const { signal } = new AbortController();

/**
 * A sequential queue whose second delivery fails, and whose records last until they are let go.
 * @param trigger of the second delivery
 */
const aQueue = (time: SimulatedTime, trigger: WebhookTrigger = 'event') => {
  const deliveries = [1, 2, 3].map((sequence) => {
    const event = { eventId: newId<EventId>(), eventType: 'order.paid', sequence } as const;
    const details = { endpointId: endpoint.id, ...event, trigger: sequence === 2 ? trigger : 'event' };
    return WebhookDelivery.create(newId(), details, at);
  });
  const attempted: number[] = [];
  const recording: (() => void)[] = [];
  const recorded = new Set<WebhookDeliveryId>();
  const queue = new EndpointQueue({
    ...{ endpoint, failures: 0, failingMs: 0, wake: () => undefined },
    report: (_, error) => expect.fail(String(error)),
    deliveries: {
      // Recorded as succeeded, or waiting for the next attempt together with those behind.
      ready: async () => {
        const left = deliveries.filter(({ sequence, id }) => sequence === 2 || !recorded.has(id));
        return left[0]?.sequence === 2 && recorded.has(left[0].id) ? [] : left;
      },
      attempt: async (_, { id, sequence }): Promise<EndedDelivery> => {
        attempted.push(sequence);
        const error = sequence === 2 ? 'status' : null;
        return {
          ...{ id, endpoint },
          attempt: { at, statusCode: null, error, durationMs: 1, random: 0 },
        };
      },
      record: async (_, ended) => {
        await new Promise<void>((resolve) => recording.push(resolve));
        for (const { id } of ended) recorded.add(id);
      },
    },
  });
  const start = async (): Promise<void> => {
    // As after new deliveries were made.
    queue.refresh();
    await queue.start(64, signal);
    await time.pass(30);
  };
  return { attempted, recording, start };
};

describe('The deliveries to a sequential endpoint', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('wait behind one that has failed while that is recorded, though others are recorded and made meanwhile', async () => {
    const { attempted, recording, start } = aQueue(time);
    await start();
    expect(attempted).to.deep.equal([1]);
    // The first is being recorded while the second fails.
    await start();
    expect(attempted).to.deep.equal([1, 2]);
    await start();
    expect(attempted).to.deep.equal([1, 2]);
    recording.shift()?.();
    await time.pass(30);
    await start();
    expect(attempted).to.deep.equal([1, 2]);
    recording.shift()?.();
    await time.pass(30);
    await start();
    expect(attempted).to.deep.equal([1, 2]);
  });

  it('do not wait behind an example that has failed', async () => {
    const { attempted, recording, start } = aQueue(time, 'test');
    await start();
    recording.shift()?.();
    await time.pass(30);
    await start();
    expect(attempted).to.deep.equal([1, 2]);
    await start();
    expect(attempted).to.deep.equal([1, 2, 3]);
  });
});

describe('A delivery that is recorded while the queue is read', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('is not made again, although the read has still found it', async () => {
    const details = { endpointId: endpoint.id, eventId: newId<EventId>(), eventType: 'order.paid' } as const;
    const delivery = WebhookDelivery.create(newId(), { ...details, sequence: 1, trigger: 'event' }, at);
    let attempts = 0;
    let reading = Promise.resolve();
    const parallel: WebhookEndpoint = { ...endpoint, ordering: 'parallel' };
    const queue = new EndpointQueue({
      ...{ endpoint: parallel, failures: 0, failingMs: 0, wake: () => undefined },
      report: (_, error) => expect.fail(String(error)),
      deliveries: {
        ready: async () => {
          await reading;
          return [delivery];
        },
        attempt: async (): Promise<EndedDelivery> => {
          attempts += 1;
          const attempt = { at, statusCode: 204, error: null, durationMs: 1, random: 0 };
          return { id: delivery.id, endpoint: parallel, attempt };
        },
        record: async () => undefined,
      },
    });
    await queue.start(64, signal);
    const { promise, resolve } = Promise.withResolvers<void>();
    reading = promise;
    queue.refresh();
    const second = queue.start(64, signal);
    // The attempt ends and is recorded meanwhile.
    await time.pass(100, 10);
    resolve();
    await second;
    expect(attempts).to.equal(1);
  });
});

describe('An endpoint whose deliveries cannot be attempted, as when its secret cannot be opened', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('rests for ten seconds', async () => {
    const event = {
      eventId: newId<EventId>(),
      eventType: 'order.paid',
      sequence: 1,
      trigger: 'event',
    } as const;
    const delivery = WebhookDelivery.create(newId(), { endpointId: endpoint.id, ...event }, at);
    let attempts = 0;
    const queue = new EndpointQueue({
      ...{ endpoint, failures: 0, failingMs: 0, wake: () => undefined, report: () => undefined },
      deliveries: {
        ready: async () => [delivery],
        attempt: () => {
          attempts += 1;
          return Promise.reject(new Error('The secret cannot be opened.'));
        },
        record: async () => undefined,
      },
    });
    for (const [passMs, expected] of [
      [0, 1],
      [9_900, 1],
      [200, 2],
    ] as const) {
      await time.pass(passMs);
      await queue.start(1, signal);
      await time.pass(1);
      expect(attempts, `after ${passMs} ms`).to.equal(expected);
    }
  });
});
