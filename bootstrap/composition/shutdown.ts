import type { Container } from 'inversify';
import { sleep } from '#adapters/support/time.ts';
import { withTimeout } from '#adapters/support/timeout.ts';
import { tokens } from './tokens.ts';

/** How long each part may take to close: 8.4 s after the drain in the worst case. `start` exits 7.9 s after the drain. */
const closeTimeoutMs = {
  listener: 6_100,
  backgroundWorker: 6_100,
  webhookWorker: 3_000,
  opsListener: 400,
  rateLimiter: 300,
  clock: 300,
  eventNumbering: 500,
  store: 1_200,
  others: 200,
};

/**
 * Graceful shutdown, as at SIGTERM: closes what accepts or starts work first, and what the work needs last. A part that cannot be closed, or does not close in
 * time, keeps no other part open.
 * @param drain how long requests are still accepted, in milliseconds: load balancers need that time to notice
 * @throws the first error of a part
 */
export const shutdown = async (container: Container, drain = 0): Promise<void> => {
  const errors: unknown[] = [];
  const collect = (error: unknown) => errors.push(error);
  const close = (token: Parameters<Container['unbindAsync']>[0], timeoutMs: number) =>
    withTimeout(timeoutMs, container.unbindAsync(token).catch(collect), undefined);

  (await container.getAsync(tokens.draining)).abort();
  const backgroundWorker = close(tokens.backgroundWorker, drain + closeTimeoutMs.backgroundWorker);
  const webhookWorker = close(tokens.webhookWorker, closeTimeoutMs.webhookWorker);
  if (drain > 0) await sleep(drain);
  const certificate = close(tokens.certificate, closeTimeoutMs.others);
  const listeners = [tokens.apiListener, tokens.pagesListener, tokens.providerEventsListener].map((one) =>
    close(one, closeTimeoutMs.listener),
  );
  await Promise.all([certificate, ...listeners, backgroundWorker, webhookWorker]);
  await Promise.all([
    // It stays open until here, so that /readyz reports the shutdown.
    close(tokens.opsListener, closeTimeoutMs.opsListener),
    close(tokens.rateLimiter, closeTimeoutMs.rateLimiter),
    close(tokens.clock, closeTimeoutMs.clock),
  ]);
  await close(tokens.eventNumbering, closeTimeoutMs.eventNumbering);
  await close(tokens.store, closeTimeoutMs.store);
  await withTimeout(closeTimeoutMs.others, container.unbindAllAsync().catch(collect), undefined);
  if (errors.length > 0) throw errors[0];
};
