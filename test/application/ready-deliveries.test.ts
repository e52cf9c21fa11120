import { expect } from 'chai';
import { showEvents } from '#adapters/http/v1/webhook-bodies.ts';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { temporaryKeys } from '#adapters/secrets/secret-keys.ts';
import { webhookDeliveries } from '#application/webhooks/deliveries.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import { Instant } from '#domain/instant.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import { newId } from '../support/machine.ts';
import { hour, minute } from './fixture.ts';

const disableAfterHours = 120;

describe('The deliveries of an endpoint', () => {
  const open = async (ordering: WebhookEndpoint['ordering']) => {
    const shop = await testShop();
    const { unitOfWork, useCases, run, admin } = shop;
    const details = { url: 'https://example.com', ...WebhookEndpoint.defaults, ordering };
    const { id: endpointId } = (await run(useCases.webhookEndpoints.create, admin, details)).endpoint;
    const found = await unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(endpointId));
    const endpoint = found ?? expect.fail('The endpoint exists.');
    const disabled: string[] = [];
    const observer = {
      ...{ attempted() {}, failing() {}, lag() {}, lost() {}, warn() {} },
      disabled: (reason: string) => disabled.push(reason),
    };
    const { ready, record, disableAbandoned } = webhookDeliveries({
      ...{ unitOfWork, clock: { now: shop.now }, newId, observer, disableAfterHours },
      ...{ sender: { send: () => expect.fail('Nothing is sent.') }, box: secretBox(temporaryKeys()) },
      ...{ show: showEvents, random: () => 0 },
    });
    const attempted = (isSuccess: boolean) =>
      unitOfWork.run(async ({ endpointPositions }) => {
        const progress = (await endpointPositions.lock(endpointId)) ?? expect.fail('It has begun.');
        const at = shop.now();
        await endpointPositions.save(EndpointPosition.note(progress, [{ isSuccess, at }], at));
      });
    return {
      ...{ shop, disabled },
      ready: () => ready(endpoint, 100),
      disableAbandoned: () => disableAbandoned(endpoint),
      become: (changed: WebhookEndpoint['ordering']) =>
        run(useCases.webhookEndpoints.change, admin, {
          ...{ id: endpointId, expectedVersions: undefined, changes: { ordering: changed } },
        }),
      /** Records a failed attempt, as a process does that has read the endpoint at its creation. @returns when the next one is due */
      recordFailure: async ({ id }: WebhookDelivery) => {
        const result = {
          at: shop.now(),
          durationMs: 1,
          statusCode: 500,
          error: 'status',
          random: 0,
        } as const;
        await record(endpoint, [{ id, endpoint, attempt: result }]);
        return (await run(useCases.webhookDeliveries.get, admin, id)).nextAttemptAt;
      },
      /** Adds a delivery that is due in so long, of an event that is never read. */
      add: async (waitMs: number): Promise<WebhookDelivery> => {
        const { create } = useCases.webhookDeliveries;
        const { id } = await run(create, admin, { endpointId, eventType: 'order.paid' });
        return unitOfWork.run(async ({ webhookDeliveries: all }) => {
          const [locked] = await all.lockBy('id', [id]);
          if (locked === undefined) return expect.fail('The delivery exists.');
          const nextAttemptAt = Instant.plus(shop.now(), waitMs);
          const details = { trigger: 'manual', nextAttemptAt } as const;
          const changed = { ...locked, ...details, version: locked.version + 1 };
          await all.save(changed);
          return changed;
        });
      },
      fail: () => attempted(false),
      succeed: () => attempted(true),
    };
  };

  it('are made as soon as each is due where they overtake each other', async () => {
    const { add, ready } = await open('parallel');
    await add(minute);
    const due = await add(0);
    expect(await ready()).to.deep.equal([due]);
  });

  it('wait for the time of the first one where they are in order', async () => {
    const { shop, add, ready } = await open('sequential');
    const [first, second] = [await add(minute), await add(0)];
    expect(await ready()).to.deep.equal([]);
    shop.advance(minute);
    expect(await ready()).to.deep.equal([first, second]);
  });

  it('do not take along one behind them whose time has not come', async () => {
    const { add, ready } = await open('sequential');
    const [due] = [await add(0), await add(minute), await add(0)];
    expect(await ready()).to.deep.equal([due]);
  });

  it('are tried again as the ordering of the endpoint has it when an attempt has ended', async () => {
    const { shop, add, become, recordFailure } = await open('parallel');
    const [before, after] = [await add(0), await add(0)];
    expect(await recordFailure(before)).to.equal(Instant.plus(shop.now(), 5_000));
    await become('sequential');
    expect(await recordFailure(after)).to.equal(Instant.plus(shop.now(), 1_000));
  });

  it('end with the endpoint that has failed for too long, though nothing is attempted any more', async () => {
    const { shop, disabled, add, fail, disableAbandoned } = await open('parallel');
    await fail();
    await add(200 * hour);
    shop.advance(disableAfterHours * hour - 1);
    await disableAbandoned();
    expect(disabled).to.deep.equal([]);
    shop.advance(1);
    await disableAbandoned();
    expect(disabled).to.deep.equal(['failing']);
  });

  it('do not end with an endpoint that has succeeded while that was looked at', async () => {
    const { shop, disabled, fail, succeed, disableAbandoned } = await open('parallel');
    await fail();
    shop.advance(disableAfterHours * hour);
    const looking = disableAbandoned();
    await succeed();
    await looking;
    expect(disabled).to.deep.equal([]);
  });

  it('decide themselves whether an endpoint has failed for too long while one is due', async () => {
    const { shop, disabled, add, fail, disableAbandoned } = await open('parallel');
    await fail();
    await add(minute);
    shop.advance(disableAfterHours * hour);
    await disableAbandoned();
    expect(disabled).to.deep.equal([]);
  });
});
