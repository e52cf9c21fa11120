import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { backgroundJobs } from '#application/jobs/background-jobs.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { LossObserver } from '#application/webhooks/observer.ts';
import { recordAttempts } from '#application/webhooks/record-attempts.ts';
import type { EventId } from '#domain/event-id.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookDelivery, type WebhookTrigger } from '#domain/webhooks/delivery.ts';
import { anEvent } from '../contracts/events-support.ts';
import { aWebhook, later, noon } from '../contracts/samples.ts';
import { newId } from '../support/machine.ts';

const day = 24 * 60 * 60_000;

const now = Instant.plus(noon, 31 * day);

const jobsOver = (unitOfWork: UnitOfWork, webhookObserver?: LossObserver) =>
  backgroundJobs({
    ...{ unitOfWork, clock: { now: () => now }, recoveries: new Map() },
    ...(webhookObserver && { webhookObserver }),
    expirePayments: () => () => expect.fail('No payment ends.'),
    ...{ leaseMs: 1, reconcileAfterMs: 1, orderLifetimeMs: 0, erasureQuietMs: 1, eventRetentionMs: 30 * day },
  });

/** A store with an endpoint, and what it says of events that are lost to the endpoint. */
const aShop = async () => {
  const { unitOfWork } = await openMemory();
  const { webhookEndpoint: endpoint, endpointPosition } = aWebhook();
  await unitOfWork.run(async ({ webhookEndpoints, endpointPositions: progress }) => {
    await webhookEndpoints.add(endpoint);
    await progress.add(endpointPosition);
  });
  const lost: number[] = [];
  const warnings: string[] = [];
  const observer = {
    ...{ attempted() {}, failing() {}, lag() {}, disabled() {} },
    lost: (count: number) => lost.push(count),
    warn: (message: string) => warnings.push(message),
  };
  const add = async (
    createdAt: Instant,
    trigger: WebhookTrigger = 'event',
    sequence = 1,
  ): Promise<WebhookDelivery> => {
    const event = { eventId: newId<EventId>(), eventType: 'order.paid', sequence, trigger } as const;
    const delivery = WebhookDelivery.create(newId(), { endpointId: endpoint.id, ...event }, createdAt);
    await unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.addAll([delivery]));
    return delivery;
  };
  const { purgeEvents } = jobsOver(unitOfWork, observer);
  const record = recordAttempts({ unitOfWork, clock: { now: () => now }, observer, disableAfterHours: 1 });
  return { unitOfWork, endpoint, add, lost, warnings, purgeEvents, record };
};

describe('Deliveries that never reached their receiver', () => {
  it('are counted and named when they are deleted with their age, and examples are not', async () => {
    const shop = await aShop();
    const ended = WebhookDelivery.cancel(await shop.add(noon), later(1));
    await shop.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.saveAll([ended]));
    await shop.add(noon);
    await shop.add(noon, 'manual');
    await shop.add(noon, 'test');
    const kept = await shop.add(Instant.plus(noon, 2 * day));
    await shop.purgeEvents();
    expect(shop.lost).to.deep.equal([2]);
    expect(shop.warnings).to.deep.equal([
      '2 deliveries to this webhook endpoint were given up, because their events are no longer kept.',
    ]);
    const { rows } = await shop.unitOfWork.read(({ webhookDeliveries }) =>
      webhookDeliveries.page({}, { limit: 9 }),
    );
    expect(rows).to.deep.equal([kept]);
  });

  it('are counted and named when they are canceled because their event is gone, once', async () => {
    const shop = await aShop();
    const { id } = await shop.add(noon);
    const ended = [{ id, endpoint: shop.endpoint }];
    await shop.record(shop.endpoint, ended);
    await shop.record(shop.endpoint, ended);
    expect(shop.lost).to.deep.equal([1]);
    expect(shop.warnings).to.deep.equal([
      'A delivery to this webhook endpoint was given up, because its event is no longer kept.',
    ]);
  });

  it('are canceled when their event is deleted, counted and named once, also those of a disabled endpoint', async () => {
    const shop = await aShop();
    const { unitOfWork } = shop;
    await unitOfWork.run(({ events }) =>
      events.append([anEvent({ timestamp: noon }), anEvent({ timestamp: now })]),
    );
    // Made by hand, a day ago, of an event that is 31 days old.
    const [again, kept] = [
      await shop.add(Instant.plus(now, -day), 'manual', 1),
      await shop.add(now, 'event', 2),
    ];
    await unitOfWork.run(({ webhookQueue }) => webhookQueue.reschedule(shop.endpoint.id, null, now));
    await shop.purgeEvents();
    await shop.purgeEvents();
    const statusOf = async ({ id }: WebhookDelivery) =>
      (await unitOfWork.read(({ webhookDeliveries }) => webhookDeliveries.find(id)))?.status;
    expect([await statusOf(again), await statusOf(kept)]).to.deep.equal(['canceled', 'pending']);
    expect(shop.lost).to.deep.equal([1]);
  });

  it('are deleted in runs of bounded length, however many there are', async () => {
    let batches = 0;
    const run = async () => {
      batches += 1;
      return { hasMore: true, undelivered: [] };
    };
    const read = async () => ({ endpoints: [], first: 1 });
    const { purgeEvents } = jobsOver({ run, read } as unknown as UnitOfWork);
    await purgeEvents();
    expect(batches).to.equal(500);
  });
});
