import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { enqueueDeliveries } from '#application/webhooks/enqueue-deliveries.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import { anEvent, appendTo } from '../../contracts/events-support.ts';
import { aWebhook, later } from '../../contracts/samples.ts';
import { machineClock, newId } from '../../support/machine.ts';

/** A store with an endpoint at the begin of a feed of three events, the last of them five seconds later. */
const aShop = async () => {
  const store = await openMemory();
  const { unitOfWork } = store;
  const { webhookEndpoint: endpoint, endpointPosition } = aWebhook();
  await unitOfWork.run(async ({ webhookEndpoints, endpointPositions: progress }) => {
    await webhookEndpoints.add(endpoint);
    await progress.add(endpointPosition);
  });
  await appendTo({ unitOfWork }, [anEvent(), anEvent(), anEvent({ timestamp: later(5) })]);
  const lost: number[] = [];
  const observer = {
    ...{ attempted() {}, failing() {}, lag() {}, disabled() {}, warn() {} },
    lost: (count: number) => lost.push(count),
  };
  const enqueue = enqueueDeliveries({ unitOfWork, clock: machineClock, newId, observer });
  const feed = await unitOfWork.read(({ events }) => events.feed());
  return {
    ...{ unitOfWork, endpoint, lost },
    enqueue: () => enqueue(endpoint, feed, false),
    setBack: () =>
      unitOfWork.run(async ({ endpointPositions: progress }) => {
        const before = await progress.lock(endpoint.id);
        if (before !== undefined) await progress.save(EndpointPosition.moveTo(before, 0, later(1)));
      }),
    deleteFirstTwo: () => unitOfWork.run(({ events }) => events.deleteOlder(later(5), later(9))),
    position: () =>
      unitOfWork.read(async ({ endpointPositions: all }) => (await all.find(endpoint.id))?.position),
    deliveries: () =>
      unitOfWork.read(async ({ webhookDeliveries: all }) => {
        const { rows } = await all.page({ endpointId: endpoint.id }, { limit: 100 });
        return rows.map(({ sequence, trigger }) => `${sequence} ${trigger}`);
      }),
  };
};

describe('Events are enqueued for an endpoint', () => {
  it('once, though two processes do so at the same time', async () => {
    const shop = await aShop();
    const both = await Promise.all([shop.enqueue(), shop.enqueue()]);
    expect(both.map(({ count }) => count).sort()).to.deep.equal([0, 3]);
    expect(await shop.deliveries()).to.deep.equal(['1 event', '2 event', '3 event']);
    expect(await shop.position()).to.equal(3);
  });

  it('not while it is disabled, and it stays where it was', async () => {
    const shop = await aShop();
    const disabling = shop.unitOfWork.run(async ({ webhookEndpoints: all }) => {
      const endpoint = await all.lock(shop.endpoint.id);
      if (endpoint) await all.save(WebhookEndpoint.change(endpoint, { status: 'disabled' }, later(1)));
    });
    const [enqueued] = await Promise.all([shop.enqueue(), disabling]);
    expect(enqueued).to.include({ count: 0, lag: 3 });
    expect(await shop.deliveries()).to.deep.equal([]);
    expect(await shop.position()).to.equal(0);
  });

  it('not with the types that it had before a change', async () => {
    const shop = await aShop();
    const changing = shop.unitOfWork.run(async ({ webhookEndpoints: all }) => {
      const endpoint = await all.lock(shop.endpoint.id);
      if (endpoint) await all.save(WebhookEndpoint.change(endpoint, { eventTypes: ['order.*'] }, later(1)));
    });
    const [enqueued] = await Promise.all([shop.enqueue(), changing]);
    expect(enqueued).to.include({ count: 0, lag: 3, hasMore: false });
    expect(await shop.position()).to.equal(0);
  });

  it('that are kept when its page is read, and those that were deleted after the end of the feed was read count as lost', async () => {
    const shop = await aShop();
    await shop.deleteFirstTwo();
    expect(await shop.enqueue()).to.include({ count: 1, lag: 0 });
    expect(await shop.deliveries()).to.deep.equal(['3 event']);
    expect(shop.lost).to.deep.equal([2]);
    expect(await shop.position()).to.equal(3);
  });

  it('again when its position was set back, as repetitions', async () => {
    const shop = await aShop();
    expect(await shop.enqueue()).to.include({ count: 3, isReplay: false });
    await shop.setBack();
    expect(await shop.enqueue()).to.include({ count: 3, isReplay: true });
    expect((await shop.deliveries()).slice(3)).to.deep.equal(['1 position', '2 position', '3 position']);
  });
});
