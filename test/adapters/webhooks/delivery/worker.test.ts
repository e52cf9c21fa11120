import { signatureHeaders } from '#adapters/webhooks/sender.ts';
import type { WebhookSender } from '#application/ports/webhook-sender.ts';
import { Instant } from '#domain/instant.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { storeAt } from '../../../support/store-at.ts';
import { describeDeliveries, type Respond, type StandReceiver } from './deliveries-suite.ts';
import { aDeliveryFixture } from './fixture.ts';

const timeoutMs = 20_000;

/** Receivers that respond without a socket: `worker.store.test.ts` has real ones. */
const receiversAt = (now: () => number) => {
  const responding = new Map<number, StandReceiver & { readonly respond: Respond }>();
  const send: WebhookSender['send'] = async ({ url, id, body, secrets }, signal) => {
    const receiver = responding.get(Number(new URL(url).port));
    if (receiver === undefined) throw new Error(`No receiver listens at ${url}.`);
    const headers = signatureHeaders({ id, body: Buffer.from(body), secrets, at: now() });
    receiver.received.push({ body, headers });
    const abandoned = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    const statusCode = await Promise.race([receiver.respond(), abandoned]);
    const error = statusCode < 300 ? null : 'status';
    return { error, statusCode, durationMs: 1, isGone: statusCode === 410 };
  };
  const start = async (respond: Respond = () => 204): Promise<StandReceiver> => {
    const receiver = { port: 20_000 + responding.size, received: [], respond };
    responding.set(receiver.port, receiver);
    return receiver;
  };
  return { start, sender: { send, problemOf: () => undefined, close: () => undefined } };
};

for (const [product, url] of [
  ['memory', 'memory:'],
  ['SQLite', 'sqlite::memory:'],
] as const)
  describeDeliveries(product, async () => {
    const store = await storeAt(url);
    const time = new SimulatedTime();
    const startedAt = Date.now() - time.now;
    const now = () => Math.floor(startedAt + time.now);
    const { start, sender } = receiversAt(now);
    const fixture = aDeliveryFixture(
      { unitOfWork: store.unitOfWork },
      { clock: { now: () => Instant.at(now()) }, sender },
    );
    return {
      ...{ fixture, start, pass: (milliseconds) => time.pass(milliseconds, 10) },
      settle: (promise) => time.settle(promise, timeoutMs),
      until: async (read, condition) => {
        for (const end = time.now + timeoutMs; time.now < end; await time.pass(10, 10)) {
          const value = await read();
          if (condition(value)) return value;
        }
        throw new Error('The condition does not hold.');
      },
      end: async () => {
        await time.settle(fixture.end());
        time.end();
        await store.close();
      },
    };
  });
