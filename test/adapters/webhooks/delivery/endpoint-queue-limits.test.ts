import { expect } from 'chai';
import { EndpointQueue } from '#adapters/webhooks/delivery/endpoint-queue.ts';
import type { EndedDelivery } from '#application/webhooks/record-attempts.ts';
import type { EventId } from '#domain/event-id.ts';
import { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { machineClock, newId } from '../../../support/machine.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';

const at = machineClock.now();
const endpoint = WebhookEndpoint.create(
  newId(),
  { url: 'https://example.com/', ...WebhookEndpoint.defaults, ordering: 'parallel' },
  { id: newId(), hint: 'whsec_AAAA…', sealed: 'sealed' },
  at,
);
const { signal } = new AbortController();

const aDelivery = (sequence: number): WebhookDelivery => {
  const event = { eventId: newId<EventId>(), eventType: 'order.paid', sequence, trigger: 'event' } as const;
  return WebhookDelivery.create(newId(), { endpointId: endpoint.id, ...event }, at);
};

/** The queue of a parallel endpoint. Its attempts end when the test responds to them. */
const aQueue = (due: WebhookDelivery[]) => {
  const reads: number[] = [];
  const recorded: number[] = [];
  const responses: (() => void)[] = [];
  const queue = new EndpointQueue({
    ...{ endpoint, failures: 0, failingMs: 0, wake: () => undefined },
    report: (_, error) => expect.fail(String(error)),
    deliveries: {
      ready: async (_, limit) => {
        reads.push(limit);
        return due.slice(0, limit);
      },
      attempt: async (_, { id }): Promise<EndedDelivery> => {
        await new Promise<void>((resolve) => responses.push(resolve));
        return { id, endpoint, attempt: { at, statusCode: 204, error: null, durationMs: 1, random: 0 } };
      },
      record: async (_, ended) => {
        recorded.push(ended.length);
      },
    },
  });
  return { queue, reads, recorded, responses };
};

describe('The queue of an endpoint', () => {
  let time: SimulatedTime;
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  it('looks for deliveries of other processes four times a second, however often it may start', async () => {
    const { queue, reads } = aQueue([]);
    for (let passed = 0; passed < 10_000; passed += 10) {
      await queue.start(1, signal);
      await time.pass(10, 10);
    }
    expect(reads).to.have.length(40);
  });

  it('makes sixteen requests at once, of a hundred deliveries that it reads ahead', async () => {
    const { queue, reads, responses } = aQueue(Array.from({ length: 200 }, (_, index) => aDelivery(index)));
    for (let round = 1; round <= 6; round += 1) {
      await queue.start(64, signal);
      expect(responses.splice(0).map((respond) => respond())).to.have.length(16);
      await time.pass(1);
    }
    expect(reads).to.deep.equal([100]);
  });

  it('records together what ends within a hundredth of a second', async () => {
    const { queue, recorded, responses } = aQueue([aDelivery(1), aDelivery(2), aDelivery(3)]);
    await queue.start(64, signal);
    responses[0]?.();
    await time.pass(8, 1);
    responses[1]?.();
    await time.pass(1, 1);
    expect(recorded).to.deep.equal([]);
    await time.pass(2, 1);
    expect(recorded).to.deep.equal([2]);
    responses[2]?.();
    await time.pass(11, 1);
    expect(recorded).to.deep.equal([2, 1]);
  });
});
