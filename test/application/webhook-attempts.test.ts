import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { ApplicationError } from '#application/errors.ts';
import type { WebhookSender } from '#application/ports/webhook-sender.ts';
import { webhookDeliveries } from '#application/webhooks/deliveries.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookEndpoint, type WebhookSecretId } from '#domain/webhooks/endpoint.ts';
import { WebhookProgress } from '#domain/webhooks/progress.ts';
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
  const { webhookEndpoint, webhookProgress, webhookDelivery } = aWebhook();
  const {
    endpoint = webhookEndpoint,
    open = () => Promise.reject(new ApplicationError('unavailable', 'The key is lost.')),
    send = () => expect.fail('Nothing is sent without a signature.'),
  } = situation;
  const failed = WebhookProgress.note(webhookProgress, [{ isSuccess: false, at: noon }], noon);
  await unitOfWork.run(async ({ webhookEndpoints, webhookProgress: progress }) => {
    await webhookEndpoints.add(endpoint);
    await progress.add(failed);
  });
  const attempted: unknown[] = [];
  const { destinations, attempt } = webhookDeliveries({
    ...{ unitOfWork, clock: { now: () => now }, newId, disableAfterHours: 1, random: () => 0 },
    observer: {
      ...{ failing() {}, lag() {}, disabled() {}, lost() {}, warn() {} },
      attempted: (outcome) => attempted.push(outcome),
    },
    ...{ sender: { send }, box: { open } },
    show: { event: (event) => event, example: () => ({}) },
  });
  const example = { ...webhookDelivery, trigger: 'test' as const };
  return { destinations, attempted, attempt: () => attempt(endpoint, example, AbortSignal.timeout(9_000)) };
};

describe('The process that delivers webhooks', () => {
  it('knows how long each endpoint has failed', async () => {
    const failingMs = async (now: Instant) => (await (await aShop(now)).destinations())[0]?.failingMs;
    expect(await failingMs(Instant.plus(noon, 90_000))).to.equal(90_000);
    // The clock was set back.
    expect(await failingMs(Instant.plus(noon, -1))).to.equal(0);
  });

  it('counts an attempt that cannot be signed, and says why', async () => {
    const shop = await aShop(later(1));
    const error = await shop.attempt().catch((thrown: unknown) => thrown);
    expect(String(error)).to.include('The key is lost.');
    expect(shop.attempted).to.deep.equal(['not_signed']);
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
