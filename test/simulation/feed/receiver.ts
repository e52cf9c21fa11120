import type { WebhookMessage, WebhookResult } from '#application/ports/webhook-sender.ts';
import type { Random } from '#test/support/random.ts';
import type { Receipt } from '../../lab/judge/events/evidence.ts';
import type { NetworkFaults } from '../network-faults.ts';

/** A receiver of webhooks, whose answers get lost now and then. */
export class SimulatedReceiver {
  readonly #random: Random;
  readonly #networkFaults: NetworkFaults;
  /** What it has accepted, in this order, with repetitions. */
  readonly accepted: Pick<Receipt, 'id' | 'eventId' | 'sequence'>[] = [];

  constructor(random: Random, networkFaults: NetworkFaults) {
    this.#random = random;
    this.#networkFaults = networkFaults;
  }

  /** @param wait lets others go on: the sender can die before and after the receiver has accepted */
  async receive({ id, body }: WebhookMessage, wait: () => Promise<void>): Promise<WebhookResult> {
    await wait();
    if (this.#random.chance(this.#networkFaults.trouble))
      return this.#failure(this.#random.pick([null, 500, 503]));
    const { id: eventId, sequence } = JSON.parse(body);
    this.accepted.push({ id, eventId, sequence });
    await wait();
    // The receiver has accepted it, and the sender does not know.
    if (this.#random.chance(this.#networkFaults.trouble / 2)) return this.#failure(null);
    return { error: null, statusCode: 204, durationMs: 1, isGone: false };
  }

  #failure(statusCode: number | null): WebhookResult {
    const error = statusCode === null ? 'timed_out' : 'status';
    return { error, statusCode, durationMs: 15_000, isGone: false };
  }
}
