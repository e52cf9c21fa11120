import { randomUUID } from 'node:crypto';
import { containerFor } from '#bootstrap/composition/container.ts';
import { shutdown } from '#bootstrap/composition/shutdown.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import type { Json } from '../http/support/client.ts';
import { Connection } from '../lab/load/connection.ts';
import { requestBytes } from '../lab/load/request.ts';
import type { SimulatedTime } from '../support/simulated-time.ts';

const operatorKey = 'an-operator-key-that-is-long-enough-for-all';

/** How long a store that numbers events waits for others, at most, in milliseconds. */
const numberingDelayMs = 10;

/** Bounds the wait for an event that no numbering shows: only the clock of the tests would wake another. */
const maxSettles = 50_000;

/** What came back over the socket. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
  /** Of the whole response. */
  readonly bytes: number;
}

/**
 * Portico as `npm start` composes it, in this process and with one client, but without the workers that do something by themselves at
 * intervals: what is counted is of one request.
 */
export const openShop = async (databaseUrl: string, time: SimulatedTime, cleanUp: AsyncDisposableStack) => {
  const config = readConfig({
    ...{ DATABASE_URL: databaseUrl, PORT: '0', OPS_PORT: '0', ADMIN_API_KEY: operatorKey },
    ...{ RATE_LIMIT_MAX: '1000000', LOG_LEVEL: 'info', LOG_FORMAT: 'json', WEBHOOK_ALLOW: '127.0.0.1:*' },
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const container = containerFor(config, { timing: { erasureQuietMs: 0 }, writeLog: () => undefined });
  cleanUp.defer(() => passUntil(time, shutdown(container)));
  const application = await container.getAsync(tokens.application);
  const { url } = await container.getAsync(tokens.apiListener);
  const feed = await container.getAsync(tokens.feedWatch);
  const connection = await Connection.open(Number(new URL(url).port));
  cleanUp.defer(() => connection.destroy());

  let isShown = Promise.withResolvers<void>();
  feed.listen(() => isShown.resolve());

  const send = (method: string, path: string, body?: unknown, key?: string, token = operatorKey) => {
    const keyed = key !== undefined && { 'Idempotency-Key': key };
    const bytes = requestBytes(method, path, { Authorization: `Bearer ${token}`, ...keyed }, body);
    return new Promise<Answer>((resolve, reject) => {
      connection.send(bytes, (response) => {
        if (response instanceof Error) return reject(response);
        const text = response.bytes.toString();
        const json = text.slice(text.indexOf('\r\n\r\n') + 4);
        if (response.status >= 400) return reject(new Error(`${method} ${path}: ${text}`));
        resolve({ status: response.status, body: JSON.parse(json), bytes: response.bytes.length });
      });
    });
  };

  /** Sends a request that records an event, and waits until the event can be read: a store may number it after the response. */
  const change = async (...request: Parameters<typeof send>): Promise<Answer> => {
    isShown = Promise.withResolvers<void>();
    const answer = await send(...request);
    let isOver = false;
    void isShown.promise.then(() => {
      isOver = true;
    });
    await settle();
    if (!isOver) time.reach(numberingDelayMs);
    for (let tries = 0; !isOver; tries += 1) {
      if (tries === maxSettles) throw new Error('The store has not numbered the event.');
      await settle();
    }
    return answer;
  };

  return { application, container, config, send, change, newKey: () => randomUUID() };
};

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** What a response leaves to do is done within some turns of the event loop. */
export const settle = async (): Promise<void> => {
  // No function of the product, which would be counted.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Lets time pass until something has happened. */
const passUntil = async <T>(time: SimulatedTime, promise: Promise<T>): Promise<T> => {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  promise.then(end, end);
  for (await settle(); !isOver; await settle()) time.reach(1);
  return promise;
};
