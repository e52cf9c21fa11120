import type { Account } from '../account.ts';
import { isOfType } from '../events.ts';
import type { Endpoint, StripeEvent } from '../objects.ts';
import { payloadOf, signatureOf } from './payload.ts';

const hourMilliseconds = 60 * 60 * 1000;

/** For how long Stripe repeats what was not accepted. https://docs.stripe.com/webhooks#automatic-retries */
const retryMilliseconds = 3 * 24 * hourMilliseconds;

export interface Wishes {
  /** By default those that are pending. Any other is delivered once more. */
  readonly events?: readonly string[];
  readonly isReversed?: boolean;
  /** How often each is delivered. */
  readonly copies?: number;
  /** How long ago the deliveries were signed, in milliseconds. */
  readonly age?: number;
  /** Instead of the secrets of the endpoint, as a forger would sign. */
  readonly secret?: string;
  /** The API version in which snapshots are rendered, instead of the endpoint's. */
  readonly version?: string;
}

/** What the endpoint responded to a delivery; 0 when it did not respond. */
export interface Delivery {
  readonly event: string;
  readonly type: string;
  readonly status: number;
}

/** Delivers events to webhook endpoints: at once, repeated until they are accepted, or when the test decides. */
export class Deliveries {
  /** Whether nothing is delivered but at the test's wish. */
  isWithheld = false;
  readonly #account: Account;

  constructor(account: Account) {
    this.#account = account;
    account.listeners.push((event) => {
      for (const endpoint of account.endpoints.rows) this.#announce(event, endpoint);
    });
  }

  /** Delivers one after the other. */
  async deliver({
    events,
    isReversed = false,
    copies = 1,
    age = 0,
    secret,
    version,
  }: Wishes): Promise<Delivery[]> {
    const all = this.#account.events;
    const chosen = events?.map((id) => all.require(id)) ?? all.rows.filter(({ pending }) => pending.size > 0);
    const deliveries: Delivery[] = [];
    for (const event of isReversed ? chosen.toReversed() : chosen) {
      for (const endpoint of this.#account.endpoints.rows.filter((each) => wants(each, event))) {
        for (let copy = 0; copy < copies; copy += 1) {
          const secrets = secret === undefined ? endpoint.secrets : [secret];
          const body = payloadOf(event, endpoint, version);
          const status = await post(endpoint, body, secrets, age);
          if (isAccepted(status)) event.pending.delete(endpoint.id);
          deliveries.push({ event: event.id, type: event.type, status });
        }
      }
    }
    return deliveries;
  }

  #announce(event: StripeEvent, endpoint: Endpoint): void {
    if (!wants(endpoint, event)) return;
    event.pending.add(endpoint.id);
    if (!this.isWithheld)
      this.#account.clock.after(0, () => this.#attempt(event, endpoint, hourMilliseconds));
  }

  /** @param pause until the next attempt, which is twice as long each time */
  async #attempt(event: StripeEvent, endpoint: Endpoint, pause: number): Promise<void> {
    if (!event.pending.has(endpoint.id) || !isActive(this.#account, endpoint)) return;
    if (pause < retryMilliseconds) {
      this.#account.clock.after(pause, () => this.#attempt(event, endpoint, 2 * pause));
    }
    const status = await post(endpoint, payloadOf(event, endpoint), endpoint.secrets, 0);
    if (isAccepted(status)) event.pending.delete(endpoint.id);
  }
}

/** Thin events have types of their own: `v1.` in front of those of snapshots. */
const wants = ({ types, isEnabled, isConnect }: Endpoint, event: StripeEvent): boolean =>
  isEnabled &&
  !isConnect &&
  isOfType(
    event,
    types.map((type) => type.replace(/^v1\./, '')),
  );

const isActive = ({ endpoints }: Account, { id }: Endpoint): boolean => endpoints.get(id)?.isEnabled ?? false;

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** Signs by the machine's clock, by which receivers check it, and not by the one that tests move. */
const post = async (
  endpoint: Endpoint,
  body: string,
  secrets: readonly string[],
  age: number,
): Promise<number> => {
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': signatureOf(body, secrets, Date.now() - age),
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
};
