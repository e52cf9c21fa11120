import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { ApplicationError } from '#application/errors.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { WebhookSender } from '#application/ports/webhook-sender.ts';
import { webhookDeliveries } from '#application/webhooks/deliveries.ts';
import { recordAttempts } from '#application/webhooks/record-attempts.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookEndpoint, type WebhookSecretId } from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import { aWebhook, later, noon } from '../contracts/samples.ts';
import { newId } from '../support/machine.ts';

interface Situation {
  readonly endpoint?: WebhookEndpoint;
  /** What is made of an encrypted secret. */
  readonly open?: (sealed: string) => Promise<string>;
  readonly send?: WebhookSender['send'];
}

/** A store with an endpoint that has failed since noon, and the deliveries of a process that usually cannot decrypt its secret. */
const aShop = async (now: Instant, situation: Situation = {}) => {
  const { unitOfWork } = await openMemory();
  const { webhookEndpoint, endpointPosition, webhookDelivery } = aWebhook();
  const {
    endpoint = webhookEndpoint,
    open = () => Promise.reject(new ApplicationError('unavailable', 'The key is lost.')),
    send = () => expect.fail('Nothing is sent without a signature.'),
  } = situation;
  const failed = EndpointPosition.note(endpointPosition, [{ isSuccess: false, at: noon }], noon);
  await unitOfWork.run(async ({ webhookEndpoints, endpointPositions: progress }) => {
    await webhookEndpoints.add(endpoint);
    await progress.add(failed);
  });
  const attempted: unknown[] = [];
  const { enabledEndpoints, attempt } = webhookDeliveries({
    ...{ unitOfWork, clock: { now: () => now }, newId, disableAfterHours: 1, random: () => 0 },
    observer: {
      ...{ failing() {}, lag() {}, disabled() {}, lost() {}, warn() {} },
      attempted: (outcome) => attempted.push(outcome),
    },
    ...{ sender: { send }, box: { open, reseal: async () => undefined } },
    show: { event: (event) => event, example: () => ({}) },
  });
  const example = { ...webhookDelivery, trigger: 'test' as const };
  return {
    enabledEndpoints,
    attempted,
    attempt: () => attempt(endpoint, example, AbortSignal.timeout(9_000)),
  };
};

describe('The process that delivers webhooks', () => {
  it('knows how long each endpoint has failed', async () => {
    const failingMs = async (now: Instant) => (await (await aShop(now)).enabledEndpoints())[0]?.failingMs;
    expect(await failingMs(Instant.plus(noon, 90_000))).to.equal(90_000);
    // The clock was set back.
    expect(await failingMs(Instant.plus(noon, -1))).to.equal(0);
  });

  it('disables an endpoint together with the attempt that was answered 410, although it is killed then', async () => {
    const { unitOfWork } = await openMemory();
    const { webhookEndpoint: endpoint, endpointPosition, webhookDelivery: delivery } = aWebhook();
    await unitOfWork.run(async (repositories) => {
      await repositories.webhookEndpoints.add(endpoint);
      await repositories.endpointPositions.add(endpointPosition);
      await repositories.webhookDeliveries.addAll([delivery]);
    });
    let commits = 0;
    const killed: UnitOfWork = {
      ...unitOfWork,
      run: async (work) => {
        if (commits > 0) throw new Error('Killed.');
        const result = await unitOfWork.run(work);
        commits += 1;
        return result;
      },
    };
    const said: string[] = [];
    const record = recordAttempts({
      ...{ unitOfWork: killed, clock: { now: () => later(1) }, disableAfterHours: 1 },
      observer: {
        ...{ attempted() {}, failing() {}, lag() {}, lost() {} },
        disabled: (reason) => said.push(reason),
        warn: (message) => said.push(message),
      },
    });
    const attempt = { at: noon, durationMs: 1, statusCode: 410, error: 'status', random: 0 } as const;
    await record(endpoint, [{ id: delivery.id, endpoint, isGone: true, attempt }]).catch(() => undefined);
    const stored = await unitOfWork.read(async ({ webhookEndpoints, webhookDeliveries }) => ({
      endpoint: await webhookEndpoints.find(endpoint.id),
      delivery: await webhookDeliveries.find(delivery.id),
    }));
    expect(stored).to.deep.nested.include({
      ...{ 'endpoint.status': 'disabled', 'endpoint.disabledReason': 'gone' },
      ...{ 'delivery.attemptCount': 1, 'delivery.nextAttemptAt': null },
    });
    expect(said[0]).to.equal('gone');
    expect(said[1]).to.include('its receiver has answered 410');
  });

  it('counts an attempt that cannot be signed, and says why', async () => {
    const shop = await aShop(later(1));
    const error = await shop.attempt().catch((thrown: unknown) => thrown);
    expect(String(error)).to.include('The key is lost.');
    expect(shop.attempted).to.deep.equal(['not_signed']);
  });

  it('sends nothing of an event before reads that lag have it, and nothing at all once that is given up', async () => {
    const shop = await testShop();
    await shop.newProduct();
    const event = (await shop.unitOfWork.read(({ events }) => events.page({}, { after: 0, limit: 1 })))
      .rows[0];
    const { webhookEndpoint: endpoint, webhookDelivery } = aWebhook();
    const delivery = { ...webhookDelivery, ...(event && { eventId: event.id }) };
    const steps: string[] = [];
    let replay = Promise.withResolvers<void>();
    const { attempt } = webhookDeliveries({
      ...{
        unitOfWork: shop.unitOfWork,
        clock: { now: () => noon },
        newId,
        disableAfterHours: 1,
        random: () => 0,
      },
      observer: {
        ...{ failing() {}, lag() {}, disabled() {}, lost() {}, warn() {}, attempted() {} },
      },
      untilReplayed: () => {
        steps.push('waits');
        return replay.promise;
      },
      sender: {
        send: async () => {
          steps.push('sends');
          return { error: null, statusCode: 200, durationMs: 1, isGone: false };
        },
      },
      box: { open: async (sealed) => sealed, reseal: async () => undefined },
      show: { event: (shown) => shown, example: () => ({}) },
    });
    const sent = attempt(endpoint, delivery, new AbortController().signal);
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).to.deep.equal(['waits']);
    replay.resolve();
    expect((await sent)?.attempt?.statusCode).to.equal(200);
    expect(steps).to.deep.equal(['waits', 'sends']);
    replay = Promise.withResolvers();
    const giveUp = new AbortController();
    const given = attempt(endpoint, delivery, giveUp.signal);
    giveUp.abort();
    replay.resolve();
    expect(await given).to.equal(undefined);
    expect(steps).to.deep.equal(['waits', 'sends', 'waits']);
  });

  it('signs with the newest secret, though the key of an older one is lost', async () => {
    const { webhookEndpoint } = aWebhook();
    const newer = { id: newId<WebhookSecretId>(), hint: 'whsec_EfGh…', sealed: 'newer' };
    const endpoint = WebhookEndpoint.addSecret(webhookEndpoint, newer, 60, noon);
    const signedWith = async (lost: string) => {
      const used: (readonly string[])[] = [];
      const shop = await aShop(later(1), {
        endpoint,
        open: (sealed) =>
          sealed === lost ? Promise.reject(new Error('The key is lost.')) : Promise.resolve(sealed),
        send: async ({ secrets }) => {
          used.push(secrets);
          return { error: null, statusCode: 200, durationMs: 1, isGone: false };
        },
      });
      await shop.attempt().catch(() => undefined);
      return used;
    };
    expect(await signedWith('sealed')).to.deep.equal([['newer']]);
    expect(await signedWith('newer')).to.deep.equal([]);
  });
});
