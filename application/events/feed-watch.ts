import type { Event } from '#domain/event.ts';
import type { Feed } from '../ports/events.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

/** How often the feed is polled while someone waits, in milliseconds: other processes append events, too. */
const pollMs = 100;

/** The least pause between two polls, in milliseconds: events of that time share one. */
const minPauseMs = 10;

/** The pause after a poll that has failed, in milliseconds. */
const retryMs = 1_000;

/** Events that one poll reads. Behind more of them, every subscriber is woken. */
const maxEventsRead = 100;

interface Options {
  readonly unitOfWork: Pick<UnitOfWork, 'read'>;
  /** Called with each error of a poll. The next one tries again. */
  readonly report: (error: unknown) => void;
}

/** Whether an event is one that a subscriber waits for. */
type Concerns = (event: Event) => boolean;

/** Waits on the event feed. */
export interface Subscription {
  /**
   * Resolves once an event that concerns the subscriber was found since the last call, or the feed has become another one.
   * It may resolve without such an event. It resolves, too, when the signal aborts.
   */
  changed(signal: AbortSignal): Promise<void>;
  end(): void;
}

interface Subscriber {
  readonly concerns: Concerns;
  isDue: boolean;
  wake: () => void;
}

/**
 * Wakes all in this process who wait for events when there are new ones. One poll serves them all, and there is none while no one
 * waits. Events of this process are found at once, because it calls `notify`.
 */
export class FeedWatch {
  readonly #unitOfWork: Options['unitOfWork'];
  readonly #report: Options['report'];
  readonly #subscribers = new Set<Subscriber>();
  readonly #listeners: (() => void)[] = [];
  #feedId: Feed['id'] | undefined;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;
  /** From the begin of a poll until the next one may begin. */
  #isBusy = false;
  #isNotified = false;

  constructor({ unitOfWork, report }: Options) {
    this.#unitOfWork = unitOfWork;
    this.#report = report;
  }

  /** A sequence up to which all events are visible. There may be later ones. */
  get last(): number {
    return this.#last;
  }

  /** Has a listener called whenever this process has made events visible. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reports that this process has made events visible. */
  notify(): void {
    for (const listener of this.#listeners) listener();
    this.#pollSoon();
  }

  /** @param after a sequence, as `last` was before the subscriber has read the feed */
  subscribe(after: number, concerns: Concerns): Subscription {
    const subscriber: Subscriber = { concerns, isDue: this.#last > after, wake: () => undefined };
    this.#subscribers.add(subscriber);
    // There was no poll while no one waited, so `last` is old.
    if (this.#subscribers.size === 1) this.#pollSoon();
    return {
      changed: async (signal) => {
        if (!subscriber.isDue && !signal.aborted) {
          const { promise, resolve } = Promise.withResolvers<void>();
          const abort = () => resolve();
          subscriber.wake = resolve;
          signal.addEventListener('abort', abort);
          await promise;
          signal.removeEventListener('abort', abort);
        }
        subscriber.isDue = false;
      },
      end: () => {
        this.#subscribers.delete(subscriber);
      },
    };
  }

  #pollSoon(): void {
    this.#isNotified = true;
    if (!this.#isBusy) void this.#poll();
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isNotified = false;
    if (this.#subscribers.size === 0) return;
    this.#isBusy = true;
    let pauseMs = pollMs;
    try {
      await this.#pollProviderEvents();
    } catch (error) {
      this.#report(error);
      pauseMs = retryMs;
    }
    setTimeout(() => {
      this.#isBusy = false;
      if (this.#isNotified) void this.#poll();
      else this.#timer = setTimeout(() => void this.#poll(), pauseMs).unref();
    }, minPauseMs).unref();
  }

  async #pollProviderEvents(): Promise<void> {
    const before = this.#last;
    const { feed, page } = await this.#unitOfWork.read(async ({ events }) => {
      const feed = await events.feed();
      const isBehind = feed.id === this.#feedId && feed.last > before;
      return {
        feed,
        page: isBehind ? await events.page({}, { after: before, limit: maxEventsRead }) : undefined,
      };
    });
    const isSame = feed.id === this.#feedId && feed.last >= before;
    const isRead = isSame && page?.hasMore !== true;
    this.#feedId = feed.id;
    this.#last = Math.max(feed.last, isRead ? (page?.rows.at(-1)?.sequence ?? 0) : 0);
    for (const subscriber of this.#subscribers) {
      if (isRead && page?.rows.some(subscriber.concerns) !== true) continue;
      subscriber.isDue = true;
      subscriber.wake();
    }
  }
}
