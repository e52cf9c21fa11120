import { type Application, createApplication, type Durations, type Ports } from '#application/application.ts';
import { silentObserver } from '#application/reconciliation/observer.ts';
import type { CaptureMethod } from '#domain/payment.ts';
import { Random } from '#test/support/random.ts';
import { Client, type Operation } from './client.ts';
import { Ending } from './ending.ts';
import { Fleet } from './fleet.ts';
import { Housekeeping } from './housekeeping.ts';
import { Journal } from './journal.ts';
import { isErasedIn } from './judgement/erasure.ts';
import { judgeEvents } from './judgement/events.ts';
import { judge } from './judgement/judgement.ts';
import { judgeReviews } from './judgement/reviews.ts';
import { judgeSecrets } from './judgement/secrets.ts';
import { judgeSeenRefunds } from './judgement/seen-refunds.ts';
import { type Hear, Listener } from './listener.ts';
import { NetworkFaults } from './network-faults.ts';
import { Operator } from './operator.ts';
import { SimulatedProvider } from './provider/provider.ts';
import { Reader } from './reader.ts';
import { Schedule } from './schedule.ts';
import { Server } from './server.ts';
import { openShop, type Shop } from './shop.ts';
import { hasReviews, reviewers } from './stories/reviews.ts';
import { keyOfCancellation, nameOfOrder, stories } from './stories/stories.ts';
import { watched } from './watch.ts';
import type { OrderRules } from './watch-orders.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const start = Date.UTC(2026, 2, 1, 12);
/** Requests have no deadline here, so the last ones of a user can take much longer than those over HTTP. */
const erasureQuietMs = hour;

const times: Durations = {
  lease: 30 * second,
  reconcileAfter: minute,
  orderLifetime: 24 * hour,
  erasureQuiet: erasureQuietMs,
};

/** How many steps a story may take; far more than any needs. */
const longest = 20_000;

/** What is put in the place of a part, to see whether that is noticed. */
export interface Planted {
  readonly ports?: (sound: Ports, server: number) => Ports;
  readonly application?: (sound: Application, ports: Ports) => Application;
  readonly provider?: (sound: SimulatedProvider) => void;
  /** What servers do with an event. */
  readonly hear?: Hear;
}

export interface Options {
  readonly planted?: Planted;
  /** Where to write down what happens. */
  readonly trace?: string[];
}

/**
 * One story, all of which the seed decides: who buys, pays and gives back, how often each client retries, what the provider and the
 * network do, when servers stop and die, and in which order everything happens.
 */
export class Simulation {
  readonly #random: Random;
  readonly #schedule: Schedule;
  readonly #provider: SimulatedProvider;
  readonly #networkFaults: NetworkFaults;
  readonly #planted: Planted;
  readonly #journal = new Journal();
  readonly #fleet: Fleet;
  readonly #housekeeping: Housekeeping;
  readonly #operator: Operator;
  readonly #captureMethod: CaptureMethod;
  readonly #hasReviews: boolean;
  readonly #errands: Operation[] = [];
  #shop: Shop | undefined;
  #isOver = false;
  #problems: readonly string[] = [];

  constructor(seed: number, { planted = {}, trace }: Options = {}) {
    const random = new Random(seed);
    const schedule = new Schedule(random, start, trace);
    const networkFaults = new NetworkFaults({
      trouble: random.pick([0, 0.1, 0.3, 0.6]),
      stalls: random.pick([0.01, 0.05, 0.2]),
    });
    this.#random = random;
    this.#hasReviews = hasReviews(seed);
    this.#schedule = schedule;
    this.#networkFaults = networkFaults;
    this.#captureMethod = random.chance(0.25) ? 'manual' : 'automatic';
    this.#provider = new SimulatedProvider(schedule, random, networkFaults);
    this.#planted = planted;
    planted.provider?.(this.#provider);
    this.#operator = new Operator(this.#provider, this.#journal);
    this.#housekeeping = new Housekeeping(schedule, random, this.#journal);
    this.#fleet = new Fleet({
      schedule,
      random,
      networkFaults,
      start: (name, place) => this.#start(name, place),
    });
    this.#play().catch((error: Error) => {
      this.#problems = [`The story broke off: ${error.stack}`];
      this.#isOver = true;
    });
  }

  /** What went wrong; undefined while the story goes on. */
  get problems(): readonly string[] | undefined {
    return this.#isOver ? this.#problems : undefined;
  }

  get steps(): number {
    return this.#schedule.steps;
  }

  /** Runs one step. Its immediate consequences have happened by the next turn of the event loop. */
  step(): void {
    if (this.#isOver) return;
    this.#schedule.step();
    if (this.#schedule.steps < longest) return;
    this.#problems = ['The story does not end.'];
    this.#isOver = true;
  }

  async #play(): Promise<void> {
    const random = this.#random;
    const prices = Array.from({ length: random.between(1, 2) }, () => (random.chance(0.1) ? 0 : 1000));
    const shop = await openShop(start, prices, [random.below(3), random.below(4)]);
    this.#shop = shop;
    this.#fleet.startAll();
    this.#fleet.planCrashes();
    if (random.chance(0.1)) this.#planOutage();
    const { events, ledger } = this.#provider;
    const tools = () => ({ at: this.#schedule.instant, newId: shop.newId });
    const hearing = { anyServer: this.#fleet.any, tools, hear: this.#planted.hear };
    events.listener = new Listener({ ...hearing, journal: this.#journal }).get;
    if (events.source !== 'list only') events.planForgeries(ledger);
    const send = (one: Operation): Promise<void> => {
      this.#errands.push(one);
      return this.#client(one.key, one).retryUntilResponse();
    };
    const schedule = this.#schedule;
    const reading = { shop, schedule, ledger, journal: this.#journal, anyServer: this.#fleet.any };
    const { read } = new Reader(reading);
    const actors = { shop, schedule, random, send, read };
    await Promise.all([...stories(actors), ...(this.#hasReviews ? reviewers(actors) : [])]);
    const left = await this.#end(shop);
    this.#problems = [
      ...this.#journal.breaches,
      ...left,
      ...judge(shop, this.#provider, this.#errands, erasureQuietMs),
      ...(await judgeEvents(shop)),
      ...(await judgeSeenRefunds(shop, this.#errands)),
      ...judgeReviews(shop, this.#errands),
      ...judgeSecrets(shop, this.#journal),
    ];
    this.#isOver = true;
  }

  /** Begins a new life of a server, which does its jobs as long as it lives. */
  #start(name: string, place: number): Server {
    const store = watched(this.#theShop.store, this.#rules, (breach) => this.#journal.breach(breach));
    const around = {
      schedule: this.#schedule,
      random: this.#random,
      store,
      networkFaults: this.#networkFaults,
    };
    const server = new Server(name, around, (itself, unitOfWork) =>
      this.#assemble(itself, unitOfWork, place),
    );
    this.#schedule.note(server, 'starts');
    this.#housekeeping.begin(server);
    return server;
  }

  get #rules(): OrderRules {
    const wasSent = (key: string) => this.#errands.some((one) => one.key === key && one.wasSent);
    return {
      now: () => this.#schedule.instant,
      orderLifetimeMs: times.orderLifetime,
      isGivenUp: (id) => {
        const place = this.#theShop.orders.findIndex((order) => order.id === id);
        return place >= 0 && wasSent(keyOfCancellation(nameOfOrder(place)));
      },
    };
  }

  get #theShop(): Shop {
    if (this.#shop === undefined) throw new Error('The shop is opened first.');
    return this.#shop;
  }

  #assemble(server: Server, unitOfWork: Shop['store'], place: number): Application {
    const journal = this.#journal;
    const given: Ports = {
      unitOfWork,
      clock: { now: () => this.#schedule.instant },
      newId: this.#theShop.newId,
      mintToken: () => ({ token: '', secretHash: '' }),
      provider: this.#provider.seenBy(server),
      captureMethod: this.#captureMethod,
      reportMismatch: (mismatch) => this.#operator.report(mismatch),
      reconciliationObserver: { ...silentObserver, warn: (warning) => journal.log(JSON.stringify(warning)) },
    };
    const ports = this.#planted.ports?.(given, place) ?? given;
    const eventsPoll = this.#provider.events.source === 'listener only' ? 0 : minute;
    const application = createApplication(ports, { ...times, eventsPoll });
    return this.#planted.application?.(application, ports) ?? application;
  }

  /** For hours or days the provider responds to no request, although it may carry it out. */
  #planOutage(): void {
    this.#schedule.after(this.#random.below(this.#random.pick([5, 60, 300]) * second), () => {
      this.#networkFaults.isOutage = true;
      this.#schedule.after(this.#random.pick([20, 26, 50]) * hour, () => {
        this.#networkFaults.isOutage = false;
      });
    });
  }

  #end(shop: Shop): Promise<readonly string[]> {
    const around = { schedule: this.#schedule, networkFaults: this.#networkFaults, provider: this.#provider };
    const people = { fleet: this.#fleet, housekeeping: this.#housekeeping, operator: this.#operator };
    const client = (one: Operation) => this.#client(`${one.key} again`, one);
    return new Ending({ ...around, ...people, shop, times, client }).play(this.#errands);
  }

  #client(name: string, one: Operation): Client {
    const { store, ada } = this.#theShop;
    const isErased = () => isErasedIn(store, ada.userId);
    const around = { schedule: this.#schedule, random: this.#random, journal: this.#journal };
    return new Client(name, one, { ...around, anyServer: this.#fleet.any, isErased, erasable: ada.userId });
  }
}
