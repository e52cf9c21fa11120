import type { Listener } from '#adapters/http/server/server.ts';
import { openMetrics } from '#adapters/metrics/metrics.ts';
import type { ProviderWebhook } from '#application/ports/charge-lifecycle.ts';
import type { ReceiveProviderEvent } from '#application/reconciliation/receive-provider-event.ts';
import { openProviderEventsListener } from '#bootstrap/composition/listeners/provider-events.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import type { Environment } from '#bootstrap/config/env-parser.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { Metrics } from '../../support/metrics.ts';
import { Client } from '../support/client.ts';

export const path = '/provider-events';

/** The listener for events of the provider alone, which does with each event what the test decides. */
export class Listening {
  readonly received: ProviderWebhook[] = [];
  readonly warnings: object[] = [];
  readonly draining = new AbortController();
  receive: ReceiveProviderEvent = async () => 'accepted';
  /** How often the charges that are due were reconciled. */
  reconciled = 0;
  readonly #metrics = openMetrics({ version: '1', database: 'memory', provider: 'stripe' });
  #listener: Listener | undefined;

  static async open(environment: Environment = {}): Promise<Listening> {
    const listening = new Listening();
    const config = readConfig({
      ...{ DATABASE_URL: 'memory:', PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
      ...{ STRIPE_WEBHOOK_SECRETS: 'whsec_1', PROVIDER_EVENTS_PORT: `${await freePort()}`, ...environment },
    });
    const log = { warn: (fields: object) => listening.warnings.push(fields), debug: () => undefined };
    listening.#listener = await openProviderEventsListener({
      ...{ config, metrics: listening.#metrics, draining: listening.draining.signal, log: log as never },
      receiveEvent: (event) => {
        listening.received.push(event);
        return listening.receive(event);
      },
      reconcileDue: () => {
        listening.reconciled += 1;
      },
    });
    return listening;
  }

  get url(): string {
    return this.#listener?.url ?? '';
  }

  get client(): Client {
    return new Client(() => this.url, undefined);
  }

  post(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { method: 'POST', body: Buffer.from(body), headers });
  }

  /** How often this became of a request. */
  async count(outcome: string): Promise<number> {
    const { text } = await this.#metrics.page();
    return new Metrics(text).value('portico_provider_events_received_total', { outcome });
  }

  async close(timeoutMs = 1_000): Promise<void> {
    await this.#listener?.close(timeoutMs);
  }
}
