import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { acquireWebhookLease } from '#application/webhooks/lease.ts';
import { resultOf } from '#bootstrap/cli/commands/webhooks-test.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { aWebhook, noon } from '../../contracts/samples.ts';
import { newId } from '../../support/machine.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('The result of a test of a webhook', () => {
  const time = ofEachTest(() => new SimulatedTime());

  /** In steps that meet every poll. */
  const pass = (milliseconds: number) => time.pass(milliseconds, 100);

  /** Waits for the result of a delivery that has no attempt yet. */
  const waiting = async ({ isServed }: { readonly isServed: boolean }) => {
    const { unitOfWork } = await openMemory();
    const system = { unitOfWork, newId, clock: { now: () => Instant.plus(noon, time.now) } };
    const { webhookEndpoint, endpointPosition, webhookDelivery: pending } = aWebhook();
    await unitOfWork.run(async (store) => {
      await store.webhookEndpoints.add(webhookEndpoint);
      await store.endpointPositions.add(endpointPosition);
      await store.webhookDeliveries.add(pending);
    });
    if (isServed) await acquireWebhookLease(system, 'a server', 60_000);
    const results: Awaited<ReturnType<typeof resultOf>>[] = [];
    void resultOf(pending.id, system).then((result) => results.push(result));
    const attempt = () => {
      const ended = { at: noon, durationMs: 1_000, statusCode: 500, error: 'status' as const };
      const noted = WebhookDelivery.note(pending, { ...ended, ordering: 'parallel', random: 0 }, noon);
      return unitOfWork.run((store) => store.webhookDeliveries.save(noted));
    };
    return { results, attempt };
  };

  it('is there as soon as a server that delivers has made its attempt, however late', async () => {
    const { results, attempt } = await waiting({ isServed: true });
    await pass(19_000);
    expect(results).to.deep.equal([]);
    await attempt();
    await pass(400);
    expect(results).to.have.lengthOf(1);
    expect(results[0]).to.have.nested.property('attempts[0].statusCode', 500);
  });

  it('is waited for 20 seconds', async () => {
    const { results } = await waiting({ isServed: true });
    await pass(19_700);
    expect(results).to.deep.equal([]);
    await pass(600);
    expect(results).to.deep.equal([undefined]);
  });

  it('is waited for 5 seconds where no server delivers, so that one can start', async () => {
    const { results } = await waiting({ isServed: false });
    await pass(4_700);
    expect(results).to.deep.equal([]);
    await pass(600);
    expect(results).to.deep.equal(['no-server']);
  });
});
