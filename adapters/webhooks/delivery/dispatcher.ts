import type { Destination, WebhookDeliveries } from '#application/webhooks/deliveries.ts';
import type { WebhookObserver } from '#application/webhooks/observer.ts';
import type { WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { Lane } from './lane.ts';

/** How many requests are made at once, to all endpoints together. */
const maxParallel = 64;

/**
 * For how many requests each endpoint has room, whatever the others do. Without it, some that answer slowly would take each place that a
 * quick one leaves. For twenty endpoints it leaves more to each than one may use.
 */
const reserved = 2;

/** How often the endpoints, and the feed of other processes, are looked at, in milliseconds. */
const intervalMs = 250;

/** How long new events wait for others, so that they are handed over together, in milliseconds. */
const newsDelayMs = 20;

/**
 * How often it looks for secrets under an older key, and for endpoints whose deliveries wait because the clock was set back, or that have
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
  readonly #lanes = new Map<string, Lane>();
  #wake: () => void = () => undefined;
  #isAwake = false;
  #hasNews = false;
  #handedOverAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Whether all endpoints are to be handed over to, also those that no new event matches. */
  #isQuietDue = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #feedLast = -1;
  #behind = new Set<string>();
  /** Endpoints that have enough deliveries that wait for their first attempt. */
  #full = new Set<string>();
  #handingOver: Promise<void> | undefined;
  #turn = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Says that events may have become visible. */
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
    await this.#handingOver;
    for (const lane of this.#lanes.values()) await lane.settle();
    for (const { endpoint } of this.#lanes.values()) this.#forget(endpoint.id);
    this.#lanes.clear();
  }

  async #round(giveUp: AbortSignal): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAt >= intervalMs) {
      this.#lookedAt = now;
      this.#isQuietDue = true;
      this.#follow(await this.#options.deliveries.destinations());
    }
    if (now - this.#checkedAt >= checkIntervalMs) await this.#check(this.#checkedAt > 0);
    if (this.#lanes.size === 0) return;
    const isNewsDue = this.#hasNews && now - this.#handedOverAt >= newsDelayMs;
    if (this.#isQuietDue || isNewsDue || this.#behind.size > 0) this.#beginHandOver();
    for (const lane of this.#inTurn()) await lane.start(this.#roomOf(lane), giveUp);
  }

  /** How many requests may be started to this endpoint; negative when none may. */
  #roomOf(lane: Lane): number {
    let room = maxParallel - lane.active;
    for (const other of this.#lanes.values()) {
      if (other !== lane) room -= Math.max(other.active, reserved);
    }
    return room;
  }

  /**
   * A failure is no reason to deliver nothing: the next look comes in a minute.
   * @param mayDisable whether what has happened while no process delivered was handed over
   */
  async #check(mayDisable: boolean): Promise<void> {
    this.#checkedAt = performance.now();
    const { deliveries, report } = this.#options;
    await deliveries.resealSecrets().catch(report);
    for (const { endpoint } of this.#lanes.values()) {
      await deliveries.hastenAfterSetBack(endpoint).catch(report);
      if (mayDisable) await deliveries.disableAbandoned(endpoint).catch(report);
    }
  }

  #follow(destinations: readonly Destination[]): void {
    const ids = new Set<string>(destinations.map(({ endpoint }) => endpoint.id));
    for (const [id, lane] of this.#lanes) {
      if (ids.has(id)) continue;
      lane.close();
      if (lane.active > 0) continue;
      this.#lanes.delete(id);
      this.#forget(lane.endpoint.id);
    }
    for (const destination of destinations) {
      const { id } = destination.endpoint;
      this.#options.observer.failing(id, destination.failingMs);
      const lane = this.#lanes.get(id);
      if (lane === undefined) this.#lanes.set(id, this.#laneOf(destination));
      else lane.update(destination);
    }
  }

  /** Shows nothing more of an endpoint. */
  #forget(id: WebhookEndpointId): void {
    this.#options.observer.lag(id, undefined);
    this.#options.observer.failing(id, undefined);
  }

  #laneOf(destination: Destination): Lane {
    return new Lane({
      ...{ ...destination, deliveries: this.#options.deliveries, wake: this.#goOn },
      report: ({ id: endpointId }, err) =>
        this.#options.observer.warn('A webhook could not be sent. It is tried again.', { endpointId, err }),
    });
  }

  /** The lanes, each time beginning with another one, so that a busy endpoint leaves room to the others. */
  #inTurn(): readonly Lane[] {
    const lanes = [...this.#lanes.values()];
    this.#turn = (this.#turn + 1) % lanes.length;
    return [...lanes.slice(this.#turn), ...lanes.slice(0, this.#turn)];
  }

  /** Attempts go on meanwhile: on a busy database a hand-over takes longer than many of them. */
  #beginHandOver(): void {
    if (this.#handingOver !== undefined) return;
    const isQuiet = this.#isQuietDue;
    this.#isQuietDue = false;
    this.#hasNews = false;
    this.#handedOverAt = performance.now();
    this.#handingOver = this.#handOver(isQuiet)
      .catch((error: unknown) => {
        // The next look comes in a quiet time.
        this.#behind.clear();
        this.#options.report(error);
      })
      .then(() => {
        this.#handingOver = undefined;
        this.#goOn();
      });
  }

  async #handOver(isQuiet: boolean): Promise<void> {
    const feed = await this.#options.deliveries.feed();
    const isNew = feed.last !== this.#feedLast;
    this.#feedLast = feed.last;
    for (const lane of [...this.#lanes.values()]) {
      const { endpoint } = lane;
      const { id } = endpoint;
      const mayHaveMore = this.#behind.has(id) || (isNew && !this.#full.has(id));
      if (!isQuiet && !mayHaveMore) continue;
      const { count, isReplay, lag, hasMore } = await this.#options.deliveries.handOver(
        endpoint,
        feed,
        isQuiet,
      );
      if (!this.#lanes.has(id)) continue;
      this.#options.observer.lag(id, lag);
      if (isReplay) lane.refresh();
      else if (count > 0) lane.expectMore();
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
