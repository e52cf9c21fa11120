import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { webhookDeliveries } from '#application/webhooks/deliveries.ts';
import { Instant } from '#domain/instant.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { existing } from '../contracts/harness.ts';
import { aWebhook, noon } from '../contracts/samples.ts';
import { newId } from '../support/machine.ts';

describe('An example for a sequential endpoint', () => {
  /** An endpoint with a pending example and a pending event behind it. */
  const aShop = async () => {
    const { unitOfWork } = await openMemory();
    const { webhookEndpoint, endpointPosition, webhookDelivery } = aWebhook();
    const endpoint = { ...webhookEndpoint, ordering: 'sequential' } as const;
    const pending = { ...webhookDelivery, status: 'pending', attemptCount: 0, nextAttemptAt: noon } as const;
    const example: WebhookDelivery = { ...pending, id: newId(), sequence: 0, trigger: 'test' };
    const event: WebhookDelivery = { ...pending, id: newId(), sequence: 7, trigger: 'event' };
    await unitOfWork.run(async (store) => {
      await store.webhookEndpoints.add(endpoint);
      await store.endpointPositions.add(endpointPosition);
      await store.webhookDeliveries.addAll([example, event]);
    });
    const warnings: string[] = [];
    const observer = {
      ...{ attempted() {}, failing() {}, lag() {}, disabled() {}, lost() {} },
      warn: (message: string) => warnings.push(message),
    };
    let now = noon;
    const { ready, record, hastenAfterClockRollback } = webhookDeliveries({
      ...{
        unitOfWork,
        newId,
        observer,
        clock: { now: () => now },
        disableAfterHours: 1_000,
        random: () => 0,
      },
      sender: { send: () => expect.fail('Nothing is sent.') },
      box: { open: () => expect.fail('Nothing is signed.'), reseal: async () => undefined },
      show: { event: (shown) => shown, example: () => ({}) },
    });
    /** Records that an attempt has failed, and lets the time until the next one pass. @returns the seconds until it */
    const fail = async ({ id }: WebhookDelivery, passes = true) => {
      const attempt = { at: now, durationMs: 1, statusCode: 400, error: 'status' as const, random: 0 };
      await record(endpoint, [{ id, endpoint, attempt }]);
      const after = existing(await unitOfWork.read((store) => store.webhookDeliveries.find(id)));
      const { nextAttemptAt: due } = after;
      const seconds = due && (Instant.milliseconds(due) - Instant.milliseconds(now)) / 1_000;
      if (due !== null && passes) now = due;
      return { status: after.status, seconds };
    };
    const readyIds = async () => (await ready(endpoint, 100)).map(({ id }) => id);
    const add = (deliveries: readonly WebhookDelivery[]) =>
      unitOfWork.run((store) => store.webhookDeliveries.addAll(deliveries));
    return {
      example,
      event,
      add,
      fail,
      readyIds,
      warnings,
      hasten: () => hastenAfterClockRollback(endpoint),
    };
  };

  it('that has failed does not hold up the events', async () => {
    const { example, event, readyIds, fail } = await aShop();
    expect(await readyIds()).to.deep.equal([example.id, event.id]);
    await fail(example, false);
    expect(await readyIds()).to.deep.equal([event.id]);
  });

  it('holds up no event, though hundreds of examples wait for their next attempt', async () => {
    const { example, event, add, readyIds } = await aShop();
    const waits = { nextAttemptAt: Instant.plus(noon, 1), attemptCount: 1 };
    await add(Array.from({ length: 300 }, () => ({ ...example, ...waits, id: newId() })));
    expect(await readyIds()).to.deep.equal([example.id, event.id]);
  });

  it('is given up after ten attempts, as at a parallel endpoint', async () => {
    const { example, event, fail, hasten, warnings } = await aShop();
    const delays: (number | null)[] = [];
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      const { status, seconds } = await fail(example, attempt < 9);
      expect(status).to.equal('pending');
      delays.push(seconds);
    }
    expect(delays).to.deep.equal([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    await hasten();
    expect(warnings).to.deep.equal([]);
    expect(await fail(example)).to.deep.equal({ status: 'failed', seconds: null });
    expect((await fail(event)).seconds).to.equal(1);
  });
});
