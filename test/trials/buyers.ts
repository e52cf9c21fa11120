import { randomUUID } from 'node:crypto';
import { Random } from '#test/support/random.ts';
import type { Client } from '../http/support/client.ts';
import { orderOf, paymentOf, type RequestDetails } from '../lab/clients/requests.ts';
import { createdSubject, type Subject } from '../lab/clients/response.ts';
import { type Attempt, NoFinalResponseError, RetriedRequest } from '../lab/clients/retried-request.ts';
import { sendRequest } from '../lab/clients/send-request.ts';
import { openShop, type Shop, stockBefore } from '../lab/clients/shop.ts';
import type { ObservedDatabase } from '../lab/databases.ts';
import { judge } from '../lab/judge/all.ts';
import { judgeFeed, readFeed } from '../lab/judge/feed.ts';
import { readRows } from '../lab/rows.ts';
import { stripeLedger } from '../lab/stripe-ledger.ts';
import { Violations, violation } from '../lab/violations.ts';
import { StripeProcess } from '../stripe/stripe-process.ts';
import { until } from '../support/until.ts';
import type { Conditions, Finding } from './trial.ts';

/** A server, with a client that has the key of its operator. */
type RunningServer = { readonly client: Pick<Client, 'base' | 'token'> };

type Server = Parameters<RetriedRequest['attempt']>[0];

/** How long a key may be in progress, and a client without a final response: longer than any outage here. */
const limits = { stuckKeyMs: 120_000, unfinishedKeyMs: 120_000 };

/** For one that is in progress for so long its fencing token is no excuse: nothing else takes it over. */
const noTakeovers: Pick<ObservedDatabase, 'query'> = { query: async () => [] };

/** Uses connections again, and never cuts one. */
class PatientClient extends Random {
  override chance(probability: number): boolean {
    return probability > 0.5;
  }
}

/** The settings with which servers charge at a provider of their own. */
export const startProvider = async ({ cleanUp }: Pick<Conditions, 'cleanUp'>) => {
  const provider = await StripeProcess.start();
  cleanUp.defer(() => provider.stop());
  const settings = {
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_trial',
    STRIPE_API_BASE: provider.url,
  };
  return { provider, settings };
};

/**
 * Clients that order and pay in turn, each request with its own idempotency key, and retry with the same key until there is a final
 * response.
 */
export class Buyers {
  readonly attempts: Attempt[] = [];
  readonly #requests: RetriedRequest[] = [];
  readonly #violations: Violations;
  readonly #servers: readonly Server[];
  readonly #shop: Shop;
  readonly #ended: Promise<unknown>;
  readonly #random = new PatientClient(1);
  #isBuying = true;

  private constructor(servers: readonly Server[], shop: Shop, count: number, log: Conditions['log']) {
    this.#servers = servers;
    this.#shop = shop;
    this.#violations = new Violations(log);
    const each = servers.flatMap((server) =>
      Array.from({ length: count }, (_, place) => this.#buy(server, place)),
    );
    this.#ended = Promise.all(each);
  }

  /** @param count for each server */
  static async begin(
    running: readonly [RunningServer, ...RunningServer[]],
    count: number,
    { log }: Pick<Conditions, 'log'>,
  ): Promise<Buyers> {
    const [{ client: first }] = running;
    const servers = running.map(({ client }) => ({
      ...{ name: client.base, port: Number(new URL(client.base).port), inFlight: 0 },
      requestSent: () => undefined,
    }));
    return new Buyers(servers, await openShop(first.base, first.token ?? ''), count, log);
  }

  /** Stops the clients. Resolves when each request that they began has its final response. */
  async end(): Promise<void> {
    this.#isBuying = false;
    await this.#ended;
  }

  /**
   * Replays each request and reads what it made, spread over the servers, and compares provider, database, events and clients.
   * @param database as it is now
   */
  async judged(provider: StripeProcess, database: Pick<ObservedDatabase, 'url' | 'query'>): Promise<Finding> {
    const violations = this.#violations;
    const left = this.#requests.entries();
    const verify = async (): Promise<void> => {
      for (const [place, request] of left) await this.#verify(request, place);
    };
    await Promise.all(Array.from({ length: 8 }, verify));
    const feed = await until(
      () => readFeed(database),
      ({ queued }) => queued === 0,
    );
    violations.add(
      ...judge({
        ledger: stripeLedger(await provider.ledger()),
        rows: await readRows(database),
        clientOutcomes: this.#requests.map(({ outcome }) => outcome),
        stockBefore: stockBefore(this.#shop, this.#requests),
        ...{ people: [], markedRows: [], leaks: [], requestTimeoutMs: 0 },
      }),
      ...judgeFeed(feed),
    );
    return {
      expected:
        'nothing acknowledged is lost or done twice, every replay is the same to the byte, and money, goods and events add up',
      seen: `${this.#requests.length} acknowledged, ${feed.events.length} events, ${violations.total} violations`,
      held: this.#requests.length > 0 && violations.total === 0,
    };
  }

  async #buy(server: Server, place: number): Promise<void> {
    const { customers, products } = this.#shop;
    const customer = customers[place % customers.length] ?? '';
    const product = products[place % products.length]?.id ?? '';
    const card = { payment_method: 'pm_card_visa' };
    while (this.#isBuying) {
      const order = await this.#send(server, orderOf(customer, [[product, 1]]));
      if (order !== undefined) await this.#send(server, paymentOf(order, customer, card, ['201']));
    }
  }

  /** @returns what was made; undefined after a violation */
  async #send(server: Server, { body, ...details }: RequestDetails): Promise<Subject | undefined> {
    const request = new RetriedRequest(
      { ...details, key: randomUUID(), body: JSON.stringify(body) },
      this.#dependenciesOf(server),
    );
    this.#requests.push(request);
    try {
      return createdSubject(await request.untilFinal(this.#random));
    } catch (error) {
      if (error instanceof NoFinalResponseError) return undefined;
      throw error;
    }
  }

  async #verify(request: RetriedRequest, place: number): Promise<void> {
    const server = this.#servers[place % this.#servers.length];
    const made = request.response && createdSubject(request.response);
    // The judge reports a request that made nothing.
    if (server === undefined || made === undefined) return;
    const { path, key, token } = request.request;
    await request.attempt(server, this.#random);
    if (!request.isCompared)
      this.#violations.add(violation('changedResponses', `${path} with key ${key}: there was no replay`));
    const read = { method: 'GET', path: `${path}/${made.id}`, token, body: '' };
    const found = await sendRequest(server, read, { keepAlive: true, cutAfter: undefined });
    const status = typeof found === 'string' ? found : found.status;
    if (status !== 200) this.#violations.add(violation('untrueResponses', `${read.path} is ${status}`));
  }

  #dependenciesOf(server: Server): ConstructorParameters<typeof RetriedRequest>[1] {
    const fleet = {
      any: () => server,
      get upMs() {
        return performance.now();
      },
    };
    return {
      ...{ fleet, violations: this.#violations, database: noTakeovers, limits },
      counts: { requests: 0, retries: 0, lost: 0, replays: 0 },
      onAttempt: (attempt) => this.attempts.push(attempt),
    };
  }
}

/** Such as `2 x 201, 1 x 503 SERVICE_UNAVAILABLE`. */
export const countByStatus = (attempts: readonly Attempt[]): string =>
  [...Map.groupBy(attempts, ({ status, code }) => (code === null ? `${status}` : `${status} ${code}`))]
    .map(([status, all]) => `${all.length} x ${status}`)
    .join(', ');

/**
 * Whether a response is allowed while the database is unavailable: success, a server error, or a retry whose first request is
 * still in progress. A connection without a response is not.
 */
export const isExpectedDuringOutage = ({ status, code }: Attempt): boolean =>
  [201, 502, 503, 504].includes(status) || code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
