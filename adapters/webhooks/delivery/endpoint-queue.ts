import { sleep } from '#adapters/support/time.ts';
import type { EnabledEndpoint, WebhookDeliveries } from '#application/webhooks/deliveries.ts';
import { countsTowardHealth, type EndedDelivery } from '#application/webhooks/record-attempts.ts';
import { WebhookAttempts } from '#domain/webhooks/attempts.ts';
import { WebhookDelivery, type WebhookDeliveryId } from '#domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';

/** How many requests to one endpoint are made at once. */
const maxParallel = 16;

/** How many deliveries are read at once. */
const readAhead = 100;

/** How often it polls for deliveries that were made by another process, or whose next attempt is due, in milliseconds. */
const readIntervalMs = 250;

/** How long what has ended waits for others, so that one unit of work records them, in milliseconds. */
const recordDelayMs = 10;

/** How long an endpoint rests after an error of our own, such as a secret that cannot be opened. */
const restMs = 10_000;

interface Options extends EnabledEndpoint {
  readonly deliveries: Pick<WebhookDeliveries, 'ready' | 'attempt' | 'record'>;
  /** Called when there may be more to do. */
  readonly wake: () => void;
  readonly report: (endpoint: WebhookEndpoint, error: unknown) => void;
}

/**
 * The deliveries of one endpoint in the process that delivers: what was read ahead, what is under way, and what has ended and is not
 * recorded yet. A delivery that is in any of these is claimed no second time.
 */
export class EndpointQueue {
  #endpoint: WebhookEndpoint;
  readonly #options: Options;
  readonly #waiting: WebhookDelivery[] = [];
  readonly #claimed = new Set<WebhookDeliveryId>();
  readonly #ended: EndedDelivery[] = [];
  #active = 0;
  #failures: number;
  #lastAttemptAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #recording: Promise<void> | undefined;
  #isReading = false;
  #isClosed = false;
  /** In a sequential queue, the failed delivery that holds up those behind it until it is recorded: then the time of its next attempt is known. */
  #blockedBy: WebhookDeliveryId | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#endpoint = options.endpoint;
    this.#failures = options.failures;
  }

  get endpoint(): WebhookEndpoint {
    return this.#endpoint;
  }

  /** How many requests are under way. */
  get active(): number {
    return this.#active;
  }

  /**
   * @param endpoint as it is now; where it has changed, what was read ahead is read again
   * @param failures as they are stored; they count again where it has changed, because it may have been enabled
   */
  update({ endpoint, failures }: EnabledEndpoint): void {
    this.#isClosed = false;
    if (endpoint.version === this.#endpoint.version) return;
    this.#endpoint = endpoint;
    this.#failures = failures;
    this.refresh();
  }

  /** Starts nothing more, until an update: the endpoint was disabled or deleted. */
  close(): void {
    this.#isClosed = true;
    this.refresh();
  }

  /** Wakes the queue, because deliveries were made. To a parallel endpoint they come behind those that were read ahead. */
  expectMore(): void {
    if (this.#endpoint.ordering === 'sequential') this.refresh();
    else this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Drops what was read ahead, and reads again at the next chance. */
  refresh(): void {
    this.#waiting.length = 0;
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Starts attempts.
   * @param limit how many at most
   */
  async start(limit: number, signal: AbortSignal): Promise<void> {
    const free = Math.min(limit, this.#free());
    if (free <= 0) return;
    if (this.#waiting.length < free) await this.#read();
    for (let left = Math.min(limit, this.#free()); left > 0 && !signal.aborted; left -= 1) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      void this.#attempt(next, signal);
    }
  }

  /** Waits until nothing is under way, and everything that has ended is recorded. */
  async settle(): Promise<void> {
    while (this.#active > 0 || this.#recording !== undefined || this.#ended.length > 0) {
      this.#record();
      await (this.#recording ?? sleep(recordDelayMs));
    }
  }

  /** Records what has ended soon, in the background. */
  #record(): void {
    if (this.#recording !== undefined || this.#ended.length === 0) return;
    this.#recording = sleep(recordDelayMs)
      .then(() => this.#recordAll())
      .finally(() => {
        this.#recording = undefined;
        this.#record();
        this.#options.wake();
      });
  }

  /** How many requests may be started now. */
  #free(): number {
    const now = performance.now();
    if (this.#isClosed || now < this.#restsUntil || this.#blockedBy !== undefined) return 0;
    const interval = WebhookAttempts.intervalAfter(this.#failures);
    if (interval > 0) return this.#active === 0 && now - this.#lastAttemptAt >= interval ? 1 : 0;
    return (this.#endpoint.ordering === 'sequential' ? 1 : maxParallel) - this.#active;
  }

  async #read(): Promise<void> {
    const now = performance.now();
    if (this.#isReading || now - this.#readAt < readIntervalMs) return;
    this.#isReading = true;
    // What is recorded while it reads may still be in what it reads.
    const claimed = new Set(this.#claimed);
    try {
      const found = await this.#options.deliveries.ready(this.#endpoint, readAhead + claimed.size);
      this.#waiting.length = 0;
      this.#waiting.push(...found.filter(({ id }) => !claimed.has(id)));
      // There may be more behind a full page, which is read as soon as this one is under way.
      this.#readAt = found.length < readAhead ? now : Number.NEGATIVE_INFINITY;
    } finally {
      this.#isReading = false;
    }
  }

  async #attempt(delivery: WebhookDelivery, signal: AbortSignal): Promise<void> {
    this.#active += 1;
    this.#claimed.add(delivery.id);
    this.#lastAttemptAt = performance.now();
    try {
      const ended = await this.#options.deliveries.attempt(this.#endpoint, delivery, signal);
      if (ended === undefined) this.#claimed.delete(delivery.id);
      else this.#note(ended, delivery);
    } catch (error) {
      this.#claimed.delete(delivery.id);
      this.#restsUntil = performance.now() + restMs;
      this.refresh();
      this.#options.report(this.#endpoint, error);
    }
    this.#active -= 1;
    this.#options.wake();
  }

  #note(ended: EndedDelivery, delivery: WebhookDelivery): void {
    this.#ended.push(ended);
    this.#record();
    const { attempt } = ended;
    if (attempt === undefined) return;
    const hasFailed = attempt.error !== null;
    if (countsTowardHealth(this.#endpoint, ended)) this.#failures = hasFailed ? this.#failures + 1 : 0;
    if (hasFailed && WebhookDelivery.orderingOf(delivery, this.#endpoint) === 'sequential') {
      this.#waiting.length = 0;
      this.#blockedBy = ended.id;
    }
  }

  async #recordAll(): Promise<void> {
    const ended = this.#ended.splice(0);
    try {
      await this.#options.deliveries.record(this.#endpoint, ended);
    } catch (error) {
      // They are attempted again: receivers see an event at least once.
      this.#restsUntil = performance.now() + restMs;
      this.#options.report(this.#endpoint, error);
    }
    for (const { id } of ended) {
      this.#claimed.delete(id);
      if (id === this.#blockedBy) this.#blockedBy = undefined;
    }
  }
}
