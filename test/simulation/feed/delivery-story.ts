import { MemoryUnitOfWork } from '#adapters/persistence/memory/unit-of-work.ts';
import { idGenerator } from '#adapters/system/ids.ts';
import { recordedUnitOfWork } from '#application/events/recorded-unit-of-work.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { WebhookSender } from '#application/ports/webhook-sender.ts';
import { type WebhookDeliveries, webhookDeliveries } from '#application/webhooks/deliveries.ts';
import type { EndedDelivery } from '#application/webhooks/record-attempts.ts';
import { Product } from '#domain/product.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import { Random } from '#test/support/random.ts';
import { NetworkFaults } from '../network-faults.ts';
import { Schedule } from '../schedule.ts';
import { Server } from '../server.ts';
import { judgeDeliveries } from './judge-deliveries.ts';
import { SimulatedReceiver } from './receiver.ts';

const second = 1_000;
const hour = 3_600 * second;
const start = Date.UTC(2026, 2, 1, 12);

/** How many steps a story may take; far more than any needs. */
const longest = 50_000;

/** How long the lease of the process that delivers lasts, in milliseconds. */
const leaseMs = 10 * second;

/** How many rounds the end takes at most, an hour each: the last retry of a delivery comes after three days. */
const maxLateRounds = 200;

/** What is put in the place of a part, to see whether that is noticed. */
export interface PlantedDelivery {
  /** Of a server, which can die between any two units of work. */
  readonly store?: (sound: StoreUnitOfWork) => StoreUnitOfWork;
  readonly sender?: (sound: Pick<WebhookSender, 'send'>) => Pick<WebhookSender, 'send'>;
  readonly deliveries?: (sound: WebhookDeliveries) => WebhookDeliveries;
}

const receiverKinds = ['parallel', 'sequential'] as const;

/**
 * One story of webhooks, all of which the seed decides: what happens in the shop, which process delivers, when processes stop and die,
 * and what receivers answer.
 */
export class DeliveryStory {
  readonly #random: Random;
  readonly #schedule: Schedule;
  readonly #networkFaults: NetworkFaults;
  readonly #planted: PlantedDelivery;
  readonly #store = new MemoryUnitOfWork();
  readonly #newId: ReturnType<typeof idGenerator>;
  readonly #servers: (Server<WebhookDeliveries> | undefined)[] = [undefined, undefined];
  readonly #receivers = new Map<WebhookEndpointId, SimulatedReceiver>();
  readonly #endpoints: WebhookEndpoint[] = [];
  #lives = 0;
  #isOver = false;
  #hasEnded = false;
  #problems: readonly string[] = [];

  constructor(seed: number, planted: PlantedDelivery = {}) {
    this.#random = new Random(seed);
    this.#schedule = new Schedule(this.#random, start);
    this.#networkFaults = new NetworkFaults({
      trouble: this.#random.pick([0, 0.1, 0.3]),
      stalls: this.#random.pick([0.01, 0.05, 0.2]),
    });
    this.#planted = planted;
    this.#newId = idGenerator(() => this.#schedule.now);
    this.#play().catch((error: Error) => {
      this.#problems = [`The story broke off: ${error.stack}`];
      this.#hasEnded = true;
    });
  }

  get problems(): readonly string[] | undefined {
    return this.#hasEnded ? this.#problems : undefined;
  }

  get steps(): number {
    return this.#schedule.steps;
  }

  step(): void {
    if (this.#hasEnded) return;
    this.#schedule.step();
    if (this.#schedule.steps < longest) return;
    this.#problems = ['The story does not end.'];
    this.#hasEnded = true;
  }

  readonly #clock = { now: () => this.#schedule.instant };

  #recorded(store: StoreUnitOfWork) {
    return recordedUnitOfWork(store, {
      ...{ clock: this.#clock, causeKind: 'housekeeping' },
      showFields: (_, resource) => resource,
    });
  }

  async #play(): Promise<void> {
    for (const ordering of receiverKinds) await this.#addEndpoint(ordering);
    for (const place of this.#servers.keys()) this.#boot(place);
    this.#planCrashes();
    await this.#trade();
    this.#networkFaults.clearUp();
    this.#schedule.slowDown();
    await this.#waitForLast();
    this.#isOver = true;
    this.#problems = await judgeDeliveries(this.#store, this.#endpoints, this.#receivers);
    this.#hasEnded = true;
  }

  async #addEndpoint(ordering: WebhookEndpoint['ordering']): Promise<void> {
    const id: WebhookEndpointId = this.#newId();
    const endpoint = WebhookEndpoint.create(
      id,
      {
        ...{ url: 'https://example.com/', description: null, payload: 'full', ordering },
        eventTypes: this.#random.pick([['*'], ['product.created']]),
      },
      { id: this.#newId(), hint: '', sealed: '' },
      this.#schedule.instant,
    );
    this.#endpoints.push(endpoint);
    this.#receivers.set(id, new SimulatedReceiver(this.#random, this.#networkFaults));
    await this.#store.run(async (all) => {
      await all.webhookEndpoints.add(endpoint);
      await all.endpointPositions.add(EndpointPosition.begin(id, 0, this.#schedule.instant));
    });
  }

  /** What happens in the shop. */
  async #trade(): Promise<void> {
    const actor = { name: 'the shop', isGone: false };
    const unitOfWork = this.#recorded(this.#store);
    for (let left = this.#random.between(3, 12); left > 0; left -= 1) {
      await this.#schedule.sleep(actor, this.#random.below(20 * second), 'trades');
      const count = this.#random.between(1, 4);
      const at = this.#schedule.instant;
      const details = { name: 'Tea', price: { amount: 1, currency: 'EUR' }, ...Product.defaults };
      const products = Array.from({ length: count }, () => Product.create(this.#newId(), details, at));
      await unitOfWork.run(({ products: all }) => all.addAll(products));
    }
  }

  #boot(place: number): void {
    this.#lives += 1;
    const { store = (sound) => sound, deliveries = (sound) => sound } = this.#planted;
    const around = {
      ...{ schedule: this.#schedule, random: this.#random, networkFaults: this.#networkFaults },
      store: this.#store,
    };
    const name = `server ${'AB'[place]}${this.#lives}`;
    const server = new Server<WebhookDeliveries>(name, around, (itself, unitOfWork) =>
      deliveries(this.#assemble(itself, store(unitOfWork))),
    );
    this.#servers[place] = server;
    void this.#deliver(server);
  }

  #assemble(server: Server<WebhookDeliveries>, store: StoreUnitOfWork): WebhookDeliveries {
    const { sender: plant = (sound) => sound } = this.#planted;
    const sender: Pick<WebhookSender, 'send'> = {
      send: async (message) => {
        const receiver = this.#receivers.get(message.url as WebhookEndpointId);
        if (receiver === undefined) throw new TypeError(message.url);
        return receiver.receive(message, () => server.turn('sends'));
      },
    };
    return webhookDeliveries({
      ...{ unitOfWork: this.#recorded(store), clock: this.#clock, newId: this.#newId },
      sender: plant(sender),
      box: { open: async () => '', reseal: async () => undefined },
      show: { event: (event) => event, example: () => ({}) },
      observer: {
        ...{
          attempted: () => undefined,
          failing: () => undefined,
          lag: () => undefined,
          warn: () => undefined,
        },
        ...{ disabled: () => undefined, lost: () => undefined },
      },
      disableAfterHours: 10_000,
      random: () => 0,
    });
  }

  /** Delivers as long as the server lives: the steps of the dispatcher, in their order. */
  async #deliver(server: Server<WebhookDeliveries>): Promise<void> {
    const { portico } = server;
    while (!this.#isOver) {
      const pause = this.#networkFaults.isClear ? 600 : this.#random.pick([1, 3, 30]);
      await this.#schedule.sleep(server, pause * second, 'delivers');
      if (!(await portico.acquireLease(server.name, leaseMs))) continue;
      const feed = await portico.feed();
      for (const { endpoint } of await portico.enabledEndpoints()) {
        await portico.enqueue(endpoint, feed, true);
        const ended = await this.#attempt(portico, endpoint);
        if (ended.length > 0) await portico.record(endpoint, ended);
      }
    }
  }

  async #attempt(portico: WebhookDeliveries, endpoint: WebhookEndpoint): Promise<readonly EndedDelivery[]> {
    const { signal } = new AbortController();
    // The receiver is found by the URL.
    const reached = { ...endpoint, url: endpoint.id };
    const ready = await portico.ready(endpoint, 20);
    if (endpoint.ordering === 'parallel') {
      const all = await Promise.all(ready.map((one) => portico.attempt(reached, one, signal)));
      return all.filter((one) => one !== undefined);
    }
    const ended: EndedDelivery[] = [];
    for (const one of ready) {
      const result = await portico.attempt(reached, one, signal);
      if (result !== undefined) ended.push(result);
      if (result?.attempt?.error != null) break;
    }
    return ended;
  }

  #planCrashes(): void {
    for (let crashes = this.#random.below(6); crashes > 0; crashes -= 1) {
      this.#schedule.after(this.#random.below(200 * second), () => {
        const place = this.#random.below(this.#servers.length);
        const server = this.#servers[place];
        if (server === undefined) return;
        server.crash();
        this.#servers[place] = undefined;
        this.#schedule.after(this.#random.below(40 * second), () => this.#boot(place));
      });
    }
  }

  async #waitForLast(): Promise<void> {
    const actor = { name: 'the end', isGone: false };
    for (let rounds = 0; rounds < maxLateRounds; rounds += 1) {
      await this.#schedule.sleep(actor, hour, 'waits for the last deliveries');
      const isDone = await this.#store.read(async ({ events, endpointPositions, webhookDeliveries: all }) => {
        const { last } = await events.feed();
        const { rows } = await endpointPositions.page({}, { limit: 10 });
        const pending = await all.page({ status: 'pending' }, { limit: 1 });
        return pending.rows.length === 0 && rows.every(({ position }) => position === last);
      });
      if (isDone) return;
    }
  }
}
