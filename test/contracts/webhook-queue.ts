import { expect } from 'chai';
import type { WebhookQueue, WebhookQueueReader } from '#application/ports/webhook-queue.ts';
import type { EventId } from '#domain/event-id.ts';
import type { Instant } from '#domain/instant.ts';
import { WebhookDelivery, type WebhookDeliveryId, type WebhookTrigger } from '#domain/webhooks/delivery.ts';
import type { WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { newId } from '../support/machine.ts';
import { existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';

interface Details {
  readonly of?: WebhookEndpointId;
  readonly sequence?: number;
  readonly trigger?: WebhookTrigger;
  readonly createdAt?: Instant;
}

/** The contract of `WebhookQueue`. */
export const describeWebhookQueue: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: deliveries of webhooks`, () => {
    const { it, beforeEach } = runner;
    const store = storeFor(open, runner);
    let endpoint: WebhookEndpointId;
    let other: WebhookEndpointId;
    beforeEach(() => {
      [endpoint, other] = [newId<WebhookEndpointId>(), newId<WebhookEndpointId>()];
    });

    const delivery = (nextAttemptAt: Instant | null = noon, details: Details = {}): WebhookDelivery => {
      const { of = endpoint, sequence = 1, trigger = 'event', createdAt = noon } = details;
      const event = {
        eventId: newId<EventId>(),
        eventType: 'order.paid',
        ...{ sequence, trigger },
      } as const;
      return WebhookDelivery.create(newId(), { endpointId: of, ...event }, createdAt, nextAttemptAt);
    };
    const tried = (one: WebhookDelivery, more: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
      ...one,
      ...{ attemptCount: 1, attempts: [{ at: noon, durationMs: 1, statusCode: 500, error: 'status' }] },
      ...more,
    });

    const add = (...deliveries: readonly WebhookDelivery[]) =>
      store.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.addAll(deliveries));
    const find = async (one: WebhookDelivery): Promise<WebhookDelivery> =>
      existing(await store.unitOfWork.read(({ webhookDeliveries }) => webhookDeliveries.find(one.id)));
    const change = (run: (queue: WebhookQueue) => Promise<void>) =>
      store.unitOfWork.run(({ webhookQueue }) => run(webhookQueue));
    const read = <T>(run: (queue: WebhookQueueReader) => Promise<T>) =>
      store.unitOfWork.read(({ webhookQueue }) => run(webhookQueue));
    const deleteOlder = async (than: Instant): Promise<ReadonlyMap<WebhookEndpointId, number>> => {
      const undelivered = new Map<WebhookEndpointId, number>();
      for (let batches = 0; batches < 100; batches += 1) {
        const deleted = await store.unitOfWork.run(({ webhookQueue }) => webhookQueue.deleteOlder(than));
        for (const { endpointId, count } of deleted.undelivered)
          undelivered.set(endpointId, (undelivered.get(endpointId) ?? 0) + count);
        if (!deleted.hasMore) return undelivered;
      }
      throw new Error('There seems to be no end.');
    };
    const due = async (now = noon, limit = 100) => read((queue) => queue.due(endpoint, now, limit));
    const first = async (limit = 100) => read((queue) => queue.first(endpoint, limit));
    const untried = (limit = 100) => read((queue) => queue.countUntried(endpoint, limit));
    /** Deliveries of another endpoint: held, tried, due and of a request. @param sequence that of their events */
    const ofAnother = (sequence = 1) => [
      delivery(null, { of: other, sequence }),
      tried(delivery(later(9), { of: other, sequence })),
      delivery(noon, { of: other, sequence }),
      delivery(later(9), { of: other, sequence, trigger: 'manual' }),
    ];
    const ended = () => [
      tried(delivery(), { status: 'succeeded', nextAttemptAt: null }),
      tried(delivery(), { status: 'failed', nextAttemptAt: null }),
      { ...delivery(), status: 'canceled' as const, nextAttemptAt: null },
    ];

    it('are listed when they are due, the longest due first, those of one endpoint alone', async () => {
      const [second, third, soonest, future] = [
        delivery(later(-2)),
        delivery(noon),
        tried(delivery(later(-3))),
        delivery(later(1)),
      ];
      await add(second, third, soonest, future, delivery(later(-9), { of: other }));
      expect(await due()).to.deep.equal([soonest, second, third]);
      expect(await due(noon, 2)).to.deep.equal([soonest, second]);
      expect(await due(later(1))).to.deep.equal([soonest, second, third, future]);
    });

    it('are listed by sequence and id, due or not, those of one endpoint alone', async () => {
      const [late, example, early, again] = [
        delivery(noon, { sequence: 12 }),
        delivery(later(9), { sequence: 0 }),
        tried(delivery(later(60_000), { sequence: 9 })),
        delivery(later(-5), { sequence: 9 }),
      ];
      await add(late, again, example, early, delivery(noon, { of: other, sequence: 1 }));
      const ordered = [early, again].toSorted((one, two) => (one.id < two.id ? -1 : 1));
      expect(await first()).to.deep.equal([example, ...ordered, late]);
      expect(await first(2)).to.deep.equal([example, ...ordered].slice(0, 2));
    });

    it('that have ended, or have no next attempt, are in neither list', async () => {
      await add(...ended(), delivery(null));
      expect(await due(later(9))).to.deep.equal([]);
      expect(await first()).to.deep.equal([]);
    });

    it('are counted while no attempt was made, up to a limit', async () => {
      const waiting = Array.from({ length: 3 }, (_, place) => delivery(place === 0 ? null : later(place)));
      await add(...waiting, tried(delivery()), ...ended(), delivery(noon, { of: other }));
      expect(await untried()).to.equal(3);
      expect(await untried(2)).to.equal(2);
      expect(await read((queue) => queue.countUntried(newId(), 5))).to.equal(0);
    });

    it('are listed and counted as many as were asked for', async () => {
      const all = Array.from({ length: 250 }, (_, place) =>
        delivery(later(place - 250), { sequence: place + 1 }),
      );
      await add(...all);
      const ids = (found: readonly WebhookDelivery[]) => found.map(({ id }) => id);
      expect(ids(await due(noon, 200))).to.deep.equal(ids(all.slice(0, 200)));
      expect(ids(await first(1_000))).to.deep.equal(ids(all));
      expect(await untried(1_000)).to.equal(250);
    });

    it('are rescheduled all at once, those of one endpoint that are pending, each with its next version', async () => {
      const [held, pending] = [delivery(null), tried(delivery(later(9)))];
      const others = [...ended(), ...ofAnother()];
      await add(held, pending, ...others);
      await change((queue) => queue.reschedule(endpoint, later(5), later(1)));
      for (const one of [held, pending])
        expect(await find(one)).to.deep.equal({
          ...one,
          ...{ nextAttemptAt: later(5), version: 2, updatedAt: later(1) },
        });
      await change((queue) => queue.reschedule(endpoint, null, later(2)));
      for (const one of [held, pending])
        expect(await find(one)).to.include({ status: 'pending', nextAttemptAt: null, version: 3 });
      for (const one of others) expect(await find(one)).to.deep.equal(one);
    });

    it('are canceled all at once, those of one endpoint that are pending, each with its next version', async () => {
      const [held, pending] = [delivery(null), tried(delivery(later(9)))];
      const others = [...ended(), ...ofAnother()];
      await add(held, pending, ...others);
      await change((queue) => queue.cancelAll(endpoint, later(1)));
      for (const one of [held, pending])
        expect(await find(one)).to.deep.equal({
          ...one,
          ...{ status: 'canceled', nextAttemptAt: null, version: 2, updatedAt: later(1) },
        });
      for (const one of others) expect(await find(one)).to.deep.equal(one);
    });

    it('are canceled behind a sequence, those that were enqueued and not those of requests', async () => {
      const behind = [
        delivery(null, { sequence: 8 }),
        tried(delivery(later(9), { sequence: 9 })),
        delivery(noon, { sequence: 10, trigger: 'position' }),
      ];
      const others = [
        delivery(noon, { sequence: 7 }),
        delivery(noon, { sequence: 8, trigger: 'manual' }),
        delivery(noon, { sequence: 8, trigger: 'test' }),
        ...ofAnother(8),
        ...ended().map((one) => ({ ...one, sequence: 8 })),
      ];
      await add(...behind, ...others);
      await change((queue) => queue.cancelEnqueued(endpoint, 7, later(1)));
      for (const one of behind)
        expect(await find(one)).to.deep.equal({
          ...one,
          ...{ status: 'canceled', nextAttemptAt: null, version: 2, updatedAt: later(1) },
        });
      for (const one of others) expect(await find(one)).to.deep.equal(one);
    });

    it('are canceled before a sequence, once, and examples are not', async () => {
      const before = [
        delivery(null, { sequence: 1 }),
        tried(delivery(later(9), { sequence: 6 })),
        delivery(noon, { sequence: 6, trigger: 'manual' }),
        delivery(noon, { sequence: 6, trigger: 'position' }),
      ];
      const others = [
        delivery(noon, { sequence: 7 }),
        delivery(noon, { sequence: 0, trigger: 'test' }),
        ...ofAnother(6),
        ...ended().map((one) => ({ ...one, sequence: 6 })),
      ];
      await add(...before, ...others);
      const cancelOrphaned = () =>
        store.unitOfWork.run(({ webhookQueue }) => webhookQueue.cancelOrphaned(endpoint, 7, later(1)));
      expect(await cancelOrphaned()).to.equal(4);
      for (const one of before)
        expect(await find(one)).to.deep.equal({
          ...one,
          ...{ status: 'canceled', nextAttemptAt: null, version: 2, updatedAt: later(1) },
        });
      for (const one of others) expect(await find(one)).to.deep.equal(one);
      expect(await cancelOrphaned()).to.equal(0);
    });

    it('are changed by a unit of work as it has left them, and not when it rolls back', async () => {
      const pending = delivery(later(9));
      await add(pending);
      const later5 = later(5);
      await rejectionOf(
        change(async (queue) => {
          await queue.reschedule(endpoint, later5, later(1));
          expect((await queue.due(endpoint, later5, 9)).map(({ id }) => id)).to.deep.equal([pending.id]);
          await queue.cancelAll(endpoint, later(1));
          throw new Error('It changed its mind.');
        }),
      );
      expect(await find(pending)).to.deep.equal(pending);
    });

    it('are listed and counted as a unit of work has left them, together with what was committed', async () => {
      const at = (milliseconds: number, sequence: number) => delivery(later(milliseconds), { sequence });
      const [kept, removed, ends, held] = [at(-9, 1), at(-8, 2), at(-7, 3), at(-6, 4)];
      const [added, joins] = [at(-5, 5), delivery(null, { sequence: 6 })];
      await add(kept, removed, ends, held, joins, delivery(later(-9), { of: other }));
      const changed = (one: WebhookDelivery, fields: Partial<WebhookDelivery>) => ({
        ...{ ...one, version: one.version + 1 },
        ...fields,
      });
      const joined = changed(joins, { nextAttemptAt: later(-4) });
      await store.unitOfWork.run(async ({ webhookDeliveries, webhookQueue }) => {
        await webhookDeliveries.add(added);
        await webhookDeliveries.remove(removed.id);
        await webhookDeliveries.save(changed(ends, { status: 'succeeded', nextAttemptAt: null }));
        await webhookDeliveries.save(changed(held, { nextAttemptAt: null }));
        await webhookDeliveries.save(joined);
        const expected = [kept, added, joined];
        expect(await webhookQueue.due(endpoint, noon, 9)).to.deep.equal(expected);
        expect(await webhookQueue.due(endpoint, noon, 2)).to.deep.equal(expected.slice(0, 2));
        expect(await webhookQueue.first(endpoint, 9)).to.deep.equal(expected);
        expect(await webhookQueue.first(endpoint, 2)).to.deep.equal(expected.slice(0, 2));
        expect(await webhookQueue.countUntried(endpoint, 9)).to.equal(4);
        expect(await webhookQueue.countUntried(endpoint, 2)).to.equal(2);
      });
    });

    it('are changed together with those that the unit of work has added itself', async () => {
      const changes: Readonly<Record<string, (queue: WebhookQueue) => Promise<unknown>>> = {
        reschedule: (queue) => queue.reschedule(endpoint, later(5), later(1)),
        cancelAll: (queue) => queue.cancelAll(endpoint, later(1)),
        cancelEnqueued: (queue) => queue.cancelEnqueued(endpoint, 0, later(1)),
        cancelOrphaned: (queue) => queue.cancelOrphaned(endpoint, 9, later(1)),
      };
      for (const [name, make] of Object.entries(changes)) {
        const [committed, own] = [delivery(noon), delivery(noon)];
        await add(committed);
        const result = await store.unitOfWork.run(async ({ webhookDeliveries, webhookQueue }) => {
          await webhookDeliveries.add(own);
          const changed = await make(webhookQueue);
          expect(await webhookQueue.due(endpoint, noon, 9), name).to.deep.equal([]);
          return changed;
        });
        for (const one of [committed, own])
          expect(await find(one), name).to.include({
            ...{ version: 2, updatedAt: later(1), createdAt: one.createdAt },
            ...(name === 'reschedule' ? { nextAttemptAt: later(5) } : { status: 'canceled' }),
          });
        if (name === 'cancelOrphaned') expect(result).to.equal(2);
        else await change((queue) => queue.cancelAll(endpoint, later(2)));
      }
    });

    it('are deleted in batches until there are no more, however many they are', async () => {
      const old = Array.from({ length: 1_100 }, () => delivery());
      await add(...old);
      const young = delivery(noon, { createdAt: later(10) });
      await add(young);
      expect((await deleteOlder(later(10))).get(endpoint)).to.equal(old.length);
      const ids = [...old, young].map(({ id }) => id);
      const left = await store.unitOfWork.read(({ webhookDeliveries }) =>
        webhookDeliveries.findBy('id', ids),
      );
      expect(left).to.deep.equal([young]);
    });

    it('are deleted from the oldest on, ended or not, none that was created since, and it says how many were pending', async () => {
      const old = [delivery(), delivery(null), { ...delivery(), trigger: 'test' as const }, ...ended()];
      await add(...old);
      const kept = [delivery(noon, { createdAt: later(10) }), delivery(noon, { createdAt: later(11) })];
      await add(...kept);
      // Other tests have left deliveries of other endpoints.
      expect((await deleteOlder(later(10))).get(endpoint)).to.equal(2);
      expect(await deleteOlder(later(10))).to.deep.equal(new Map());
      const left = async (ids: readonly WebhookDeliveryId[]) =>
        store.unitOfWork.read(({ webhookDeliveries }) => webhookDeliveries.findBy('id', ids));
      expect(await left(old.map(({ id }) => id))).to.deep.equal([]);
      expect(await left(kept.map(({ id }) => id))).to.deep.equal(kept);
    });

    it('are deleted although a clock that was ahead gave one before them a later time, and that one is kept', async () => {
      const one = delivery(noon, { createdAt: later(10) });
      const old = [delivery(), delivery()];
      const two = delivery(noon, { createdAt: later(99) });
      await add(one, ...old, two);
      expect((await deleteOlder(later(10))).get(endpoint)).to.equal(2);
      const ids = [one, ...old, two].map(({ id }) => id);
      const left = await store.unitOfWork.read(({ webhookDeliveries }) =>
        webhookDeliveries.findBy('id', ids),
      );
      expect(left).to.have.deep.members([one, two]);
    });
  });
