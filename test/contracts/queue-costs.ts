import { expect } from 'chai';
import type { Repositories } from '#application/ports/repositories.ts';
import type { EventId } from '#domain/event-id.ts';
import { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import type { WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { newId } from '../support/machine.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';

/** How many deliveries have ended in between, of the same endpoint. */
const endedCount = 1_200;

/** A planner may read some rows more of a larger table, and none may read all. */
const tolerance = 100;

/** What the queue of webhooks promises of its costs. It is tried where the store counts what its database reads. */
export const describeQueueCosts: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the costs of the queue of webhooks`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);
    const endpointId = newId<WebhookEndpointId>();

    const delivery = (sequence: number): WebhookDelivery => {
      const event = { eventId: newId<EventId>(), eventType: 'order.paid', trigger: 'event' } as const;
      return WebhookDelivery.create(newId(), { endpointId, sequence, ...event }, noon, noon);
    };
    const add = (deliveries: readonly WebhookDelivery[]) =>
      store.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.addAll(deliveries));

    type Queue = Repositories['webhookQueue'];
    const calls: Readonly<Record<string, (queue: Queue) => Promise<unknown>>> = {
      due: (queue) => queue.due(endpointId, later(9), 100),
      first: (queue) => queue.first(endpointId, 100),
      countUntried: (queue) => queue.countUntried(endpointId, 100),
      reschedule: (queue) => queue.reschedule(endpointId, later(5), later(1)),
      cancelEnqueued: (queue) => queue.cancelEnqueued(endpointId, 2, later(1)),
      cancelOrphaned: (queue) => queue.cancelOrphaned(endpointId, 2, later(1)),
      cancelAll: (queue) => queue.cancelAll(endpointId, later(1)),
    };

    for (const [name, call] of Object.entries(calls)) {
      it(`do not grow with the deliveries that have ended: ${name}`, async () => {
        const { countReads } = store;
        if (countReads === undefined) return;
        const count = () =>
          countReads((unitOfWork) => unitOfWork.run(({ webhookQueue }) => call(webhookQueue)));
        const pending = () => add([delivery(1), delivery(2), delivery(3)]);
        await pending();
        const before = await count();
        expect(before, 'rows that the database reads').to.be.at.least(1);
        await pending();
        await add(
          Array.from({ length: endedCount }, (_, index) => ({
            ...delivery(index),
            ...{ status: index % 2 === 0 ? 'succeeded' : 'failed', nextAttemptAt: null },
          })),
        );
        expect(await count(), `rows that the database reads, and ${before} before`).to.be.at.most(
          before + tolerance,
        );
      }, 60_000);
    }
  });
