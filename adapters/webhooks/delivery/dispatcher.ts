import type { EnabledEndpoint, WebhookDeliveries } from '#application/webhooks/deliveries.ts';
import type { WebhookObserver } from '#application/webhooks/observer.ts';
import type { WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { EndpointQueue } from './endpoint-queue.ts';

/** How many requests are made at once, to all endpoints together. */
const maxParallel = 64;

/**
 * For how many requests each endpoint has room, whatever the others do. Without it, some that answer slowly would fill each place that a
 * quick one frees. For twenty endpoints each has more room than it may use.
 */
const reserved = 2;

/** How often the endpoints, and the feed of other processes, are polled, in milliseconds. */
const intervalMs = 250;

/** How long new events wait for others, so that they are enqueued together, in milliseconds. */
const newsDelayMs = 20;

/**
 * How often it checks for secrets under an older key, and for endpoints whose deliveries wait because the clock was set back, or that have
 * failed for too long, in milliseconds.
 */
const checkIntervalMs = 60_000;

interface Options {
  readonly deliveries: WebhookDeliveries;
  readonly observer: Pick<WebhookObserver, 'failing' | 'lag' | 'warn'>;
  readonly report: (error: unknown) => void;
}

/** Delivers webhooks for as long as this process holds the lease: hands events over to endpoints, and makes attempts in turns. */
export class Dispatcher {
  readonly #options: Options;
  readonly #queues = new Map<string, EndpointQueue>();
  #wake: () => void = () => undefined;
  #isAwake = false;
  #hasNews = false;
  #handedOverAt = Number.NEGATIVE_INFINITY;
  #polledAt = Number.NEGATIVE_INFINITY;
  /** Whether deliveries are to be enqueued for all endpoints, also for those that no new event matches. */
  #isQuietDue = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #feedLast = -1;
  #behind = new Set<string>();
  /** Endpoints that have enough deliveries that wait for their first attempt. */
  #full = new Set<string>();
  #enqueueing: Promise<void> | undefined;
  #turn = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Wakes the dispatcher, because events may have become visible. */
  readonly wake = (): void => {
    this.#hasNews = true;
    this.#goOn();
  };

  readonly #goOn = (): void => {
    this.#isAwake = true;
    this.#wake();
  };

  /**
   * Delivers until the signal is aborted, and then until nothing is under way.
   * @param giveUp abandons requests that are under way
   */
  async run(signal: AbortSignal, giveUp: AbortSignal): Promise<void> {
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      this.#isAwake = false;
      try {
        await this.#round(giveUp);
      } catch (error) {
        this.#options.report(error);
      }
      if (!signal.aborted) await this.#sleep(signal);
    }
    await this.#enqueueing;
    for (const queue of this.#queues.values()) await queue.settle();
    for (const { endpoint } of this.#queues.values()) this.#forget(endpoint.id);
    this.#queues.clear();
  }

  async #round(giveUp: AbortSignal): Promise<void> {
    const now = performance.now();
    if (now - this.#polledAt >= intervalMs) {
      this.#polledAt = now;
      this.#isQuietDue = true;
      this.#follow(await this.#options.deliveries.enabledEndpoints());
    }
    if (now - this.#checkedAt >= checkIntervalMs) await this.#check(this.#checkedAt > 0);
    if (this.#queues.size === 0) return;
    const isNewsDue = this.#hasNews && now - this.#handedOverAt >= newsDelayMs;
    if (this.#isQuietDue || isNewsDue || this.#behind.size > 0) this.#beginHandOver();
    for (const queue of this.#inTurn()) await queue.start(this.#roomOf(queue), giveUp);
  }

  /** How many requests may be started to this endpoint; negative when none may. */
  #roomOf(queue: EndpointQueue): number {
    let room = maxParallel - queue.active;
    for (const other of this.#queues.values()) {
      if (other !== queue) room -= Math.max(other.active, reserved);
    }
    return room;
  }

  /**
   * A failure is no reason to deliver nothing: the next check comes in a minute.
   * @param mayDisable whether what has happened while no process delivered was enqueued
   */
  async #check(mayDisable: boolean): Promise<void> {
    this.#checkedAt = performance.now();
    const { deliveries, report } = this.#options;
    await deliveries.resealSecrets().catch(report);
    for (const { endpoint } of this.#queues.values()) {
      await deliveries.hastenAfterClockRollback(endpoint).catch(report);
      if (mayDisable) await deliveries.disableAbandoned(endpoint).catch(report);
    }
  }

  #follow(enabledEndpoints: readonly EnabledEndpoint[]): void {
    const ids = new Set<string>(enabledEndpoints.map(({ endpoint }) => endpoint.id));
    for (const [id, queue] of this.#queues) {
      if (ids.has(id)) continue;
      queue.close();
      if (queue.active > 0) continue;
      this.#queues.delete(id);
      this.#forget(queue.endpoint.id);
    }
    for (const enabled of enabledEndpoints) {
      const { id } = enabled.endpoint;
      this.#options.observer.failing(id, enabled.failingMs);
      const queue = this.#queues.get(id);
      if (queue === undefined) this.#queues.set(id, this.#queueOf(enabled));
      else queue.update(enabled);
    }
  }

  /** Shows nothing more of an endpoint. */
  #forget(id: WebhookEndpointId): void {
    this.#options.observer.lag(id, undefined);
    this.#options.observer.failing(id, undefined);
  }

  #queueOf(enabled: EnabledEndpoint): EndpointQueue {
    return new EndpointQueue({
      ...{ ...enabled, deliveries: this.#options.deliveries, wake: this.#goOn },
      report: ({ id: endpointId }, err) =>
        this.#options.observer.warn('A webhook could not be sent. It is tried again.', { endpointId, err }),
    });
  }

  /** The queues, each time beginning with another one, so that a busy endpoint does not crowd out the others. */
  #inTurn(): readonly EndpointQueue[] {
    const queues = [...this.#queues.values()];
    this.#turn = (this.#turn + 1) % queues.length;
    return [...queues.slice(this.#turn), ...queues.slice(0, this.#turn)];
  }

  /** Attempts go on meanwhile: on a busy database an enqueueing outlasts many of them. */
  #beginHandOver(): void {
    if (this.#enqueueing !== undefined) return;
    const isQuiet = this.#isQuietDue;
    this.#isQuietDue = false;
    this.#hasNews = false;
    this.#handedOverAt = performance.now();
    this.#enqueueing = this.#enqueue(isQuiet)
      .catch((error: unknown) => {
        // The next poll comes in a quiet time.
        this.#behind.clear();
        this.#options.report(error);
      })
      .then(() => {
        this.#enqueueing = undefined;
        this.#goOn();
      });
  }

  async #enqueue(isQuiet: boolean): Promise<void> {
    const feed = await this.#options.deliveries.feed();
    const isNew = feed.last !== this.#feedLast;
    this.#feedLast = feed.last;
    for (const queue of [...this.#queues.values()]) {
      const { endpoint } = queue;
      const { id } = endpoint;
      const mayHaveMore = this.#behind.has(id) || (isNew && !this.#full.has(id));
      if (!isQuiet && !mayHaveMore) continue;
      const { count, isReplay, lag, hasMore } = await this.#options.deliveries.enqueue(
        endpoint,
        feed,
        isQuiet,
      );
      if (!this.#queues.has(id)) continue;
      this.#options.observer.lag(id, lag);
      if (isReplay) queue.refresh();
      else if (count > 0) queue.expectMore();
      note(this.#behind, id, hasMore);
      note(this.#full, id, lag > 0 && !hasMore);
    }
  }

  async #sleep(signal: AbortSignal): Promise<void> {
    if (this.#isAwake) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, this.#hasNews ? newsDelayMs : intervalMs);
      signal.addEventListener('abort', end, { once: true });
      this.#wake = end;
    });
  }
}

const note = (set: Set<string>, id: string, isMember: boolean): void => {
  if (isMember) set.add(id);
  else set.delete(id);
};
