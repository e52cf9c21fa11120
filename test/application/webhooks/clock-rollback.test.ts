import { expect } from 'chai';
import { hastenAfterClockRollback } from '#application/webhooks/clock-rollback.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import { Instant } from '#domain/instant.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { hour, minute } from '../fixture.ts';

type Shop = Awaited<ReturnType<typeof testShop>>;

describe('Deliveries of webhooks after the clock was set back', () => {
  let shop: Shop;
  let endpointId: WebhookEndpointId;
  let warnings: string[];

  beforeEach(async () => {
    shop = await testShop();
    warnings = [];
    const details = { url: 'https://example.com', ...WebhookEndpoint.defaults };
    const { endpoint } = await shop.run(shop.useCases.webhookEndpoints.create, shop.admin, details);
    endpointId = endpoint.id;
  });

  /** Adds a delivery that waits for so long after so many failed attempts. */
  const pending = async (attemptCount: number, waitMs: number): Promise<WebhookDelivery> => {
    const { create } = shop.useCases.webhookDeliveries;
    const { id } = await shop.run(create, shop.admin, { endpointId, eventType: 'order.paid' });
    return shop.unitOfWork.run(async ({ webhookDeliveries }) => {
      const [locked] = await webhookDeliveries.lockBy('id', [id]);
      if (locked === undefined) return expect.fail('The delivery exists.');
      const nextAttemptAt = Instant.plus(shop.now(), waitMs);
      const changed = { ...locked, attemptCount, nextAttemptAt, version: locked.version + 1 };
      await webhookDeliveries.save(changed);
      return changed;
    });
  };
  const hasten = async (): Promise<void> => {
    const { unitOfWork } = shop;
    const endpoint = await unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(endpointId));
    const observer = { warn: (message: string) => warnings.push(message) };
    const dependencies = { unitOfWork, observer, clock: { now: shop.now } };
    await hastenAfterClockRollback(dependencies)(endpoint ?? expect.fail('The endpoint exists.'));
  };
  const read = ({ id }: WebhookDelivery) => shop.run(shop.useCases.webhookDeliveries.get, shop.staff, id);

  it('are due at once where one waits for longer than it can, before or after its first attempt', async () => {
    for (const [attemptCount, waitMs] of [
      [0, 0],
      [1, 5_000],
      [8, 20 * hour],
    ] as const) {
      const delivery = await pending(attemptCount, waitMs);
      const other = await pending(1, 0);
      shop.advance(-25 * hour);
      await hasten();
      for (const one of [delivery, other]) expect((await read(one)).nextAttemptAt).to.equal(shop.now());
      shop.advance(50 * hour);
    }
    expect(warnings).to.have.length(3);
  });

  it('are left alone where each waits as it can, also when clocks differ by a minute', async () => {
    const left = [await pending(0, minute), await pending(1, hour), await pending(9, 26 * hour)];
    await hasten();
    for (const one of left) expect(await read(one)).to.deep.equal(one);
    expect(warnings).to.deep.equal([]);
  });

  it('keep waiting for an endpoint that was disabled meanwhile', async () => {
    const delivery = await pending(0, 25 * hour);
    const { unitOfWork } = shop;
    const stale = await unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(endpointId));
    const changes = { status: 'disabled' } as const;
    const readFirst = hastenAfterClockRollback({
      observer: { warn: (message) => warnings.push(message) },
      clock: { now: shop.now },
      unitOfWork: {
        ...unitOfWork,
        run: async (work, context) => {
          const { change } = shop.useCases.webhookEndpoints;
          await shop.run(change, shop.admin, { id: endpointId, expectedVersions: undefined, changes });
          return unitOfWork.run(work, context);
        },
      },
    });
    await readFirst(stale ?? expect.fail('The endpoint exists.'));
    expect((await read(delivery)).nextAttemptAt).to.equal(null);
    expect(warnings).to.deep.equal([]);
  });
});
