import type { WebhookDeliveries } from '#application/webhooks/deliveries.ts';
import type { WebhookObserver } from '#application/webhooks/observer.ts';
import { Dispatcher } from './dispatcher.ts';

/** After a kill another process delivers within this time and one interval. */
const leaseMs = 10_000;
const intervalMs = 3_000;

/** How long a stop waits for requests that are under way. What is given up is sent again by another process. */
const stopTimeoutMs = 2_000;

interface Options {
  readonly deliveries: WebhookDeliveries;
  readonly observer: WebhookObserver;
  /** The unique name of this process. */
  readonly name: string;
  readonly report: (error: unknown) => void;
}

export interface WebhookWorker {
  /** Wakes the worker, because events may have become visible. */
  wake(): void;
  stop(): Promise<void>;
}

/** Delivers webhooks while this process holds the lease. All processes try to acquire it, and one at a time holds it. */
export const startWebhookWorker = ({ deliveries, observer, name, report }: Options): WebhookWorker => {
  const dispatcher = new Dispatcher({ deliveries, observer, report });
  const stopping = new AbortController();
  let current: { readonly lost: AbortController; readonly ended: Promise<void> } | undefined;
  let checking: Promise<void> = Promise.resolve();
  let renewedAt = Number.NEGATIVE_INFINITY;

  const acquire = async (): Promise<boolean> => {
    const askedAt = performance.now();
    try {
      const isHeld = await deliveries.acquireLease(name, leaseMs);
      if (isHeld) renewedAt = askedAt;
      return isHeld;
    } catch (error) {
      report(error);
      // The lease goes on until it expires.
      return performance.now() - renewedAt < leaseMs - intervalMs;
    }
  };

  const begin = (): void => {
    const lost = new AbortController();
    const giveUp = new AbortController();
    const ending = AbortSignal.any([stopping.signal, lost.signal]);
    // A lost lease is another process's: what is under way is given up at once.
    lost.signal.addEventListener('abort', () => giveUp.abort(), { once: true });
    stopping.signal.addEventListener('abort', () => setTimeout(() => giveUp.abort(), stopTimeoutMs).unref(), {
      once: true,
    });
    const ended = dispatcher.run(ending, giveUp.signal).catch(report);
    current = { lost, ended };
  };

  const check = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    const isHeld = await acquire();
    if (stopping.signal.aborted) return;
    if (isHeld && current === undefined) begin();
    if (!isHeld && current !== undefined) {
      const { lost, ended } = current;
      lost.abort();
      await ended;
      current = undefined;
    }
  };

  const timer = setInterval(() => {
    checking = checking.then(check);
  }, intervalMs);
  timer.unref();
  checking = check();

  return {
    wake: dispatcher.wake,
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await checking;
      await current?.ended;
      // Released, so that another process need not wait until it expires.
      await deliveries.acquireLease(name, 0).catch(report);
    },
  };
};
