import { type Application, createApplication, type Durations, type Ports } from '#application/application.ts';
import { Instant } from '#domain/instant.ts';
import { Random } from '#test/support/random.ts';
import { Client, type Operation } from './client.ts';
import { isErasedIn, judgeErasure } from './erasure-judgement.ts';
import { judge, leftOpen } from './judgement.ts';
import { SimulatedProvider } from './provider.ts';
import { type Actor, Schedule } from './schedule.ts';
import { Server } from './server.ts';
import { openShop, type Shop } from './shop.ts';
import { stories } from './stories.ts';
import { watched } from './watch.ts';
import { Weather } from './weather.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const start = Date.UTC(2026, 2, 1, 12);
const times: Durations = { lease: 30 * second, reconcileAfter: minute, orderLifetime: 24 * hour };

/** How many steps a story may take; far more than any needs. */
const longest = 20_000;

/** What is put in the place of a part, to see whether that is noticed. */
export interface Planted {
  readonly ports?: (sound: Ports, server: number) => Ports;
  readonly application?: (sound: Application, ports: Ports) => Application;
  readonly provider?: (sound: SimulatedProvider) => void;
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
  readonly #weather: Weather;
  readonly #planted: Planted;
  readonly #errands: Operation[] = [];
  readonly #breaches: string[] = [];
  readonly #servers: (Server | undefined)[] = [undefined, undefined];
  #shop: Shop | undefined;
  #lives = 0;
  #isOver = false;
  #problems: readonly string[] = [];

  constructor(seed: number, { planted = {}, trace }: Options = {}) {
    this.#random = new Random(seed);
    this.#schedule = new Schedule(this.#random, start, trace);
    this.#weather = new Weather({
      trouble: this.#random.pick([0, 0.1, 0.3, 0.6]),
      stalls: this.#random.pick([0.01, 0.05, 0.2]),
    });
    this.#provider = new SimulatedProvider(this.#schedule, this.#random, this.#weather);
    this.#planted = planted;
    planted.provider?.(this.#provider);
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
    const prices = Array.from({ length: this.#random.between(1, 2) }, () =>
      this.#random.chance(0.1) ? 0 : 1000,
    );
    const shop = await openShop(start, prices, [this.#random.below(3), this.#random.below(4)]);
    this.#shop = shop;
    for (const place of this.#servers.keys()) this.#boot(place);
    this.#planCrashes();
    if (this.#random.chance(0.1)) this.#planOutage();
    const send = (one: Operation): Promise<void> => {
      this.#errands.push(one);
      return this.#client(one.key, one).retryUntilResponse();
    };
    await Promise.all(stories({ shop, schedule: this.#schedule, random: this.#random, send }));
    const left = await this.#settleDown(shop);
    this.#problems = [...this.#breaches, ...left, ...(await judge(shop, this.#provider, this.#errands))];
    this.#problems = [...this.#problems, ...(await judgeErasure(shop))];
    this.#isOver = true;
  }

  /** Begins a new life of a server, which does its backgroundJobs as long as it lives. */
  #boot(place: number): Server {
    this.#lives += 1;
    const name = `server ${'AB'[place]}${this.#lives}`;
    const store = watched(this.#theShop.store, this.#schedule, (breach) => this.#breaches.push(breach));
    const around = { schedule: this.#schedule, random: this.#random, store, weather: this.#weather };
    const server = new Server(name, around, (itself, unitOfWork) =>
      this.#assemble(itself, unitOfWork, place),
    );
    this.#servers[place] = server;
    this.#schedule.note(server, 'starts');
    void this.#keepHouse(server);
    return server;
  }

  get #theShop(): Shop {
    if (this.#shop === undefined) throw new Error('The shop is opened first.');
    return this.#shop;
  }

  #assemble(server: Server, unitOfWork: Shop['store'], place: number): Application {
    const given = {
      unitOfWork,
      clock: { now: () => this.#schedule.instant },
      newId: this.#theShop.newId,
      mintToken: () => ({ token: '', secretHash: '' }),
      provider: this.#provider.seenBy(server),
    };
    const ports = this.#planted.ports?.(given, place) ?? given;
    const application = createApplication(ports, times);
    return this.#planted.application?.(application, ports) ?? application;
  }

  async #keepHouse(server: Server): Promise<void> {
    const pauses = [10 * second, minute, 10 * minute, 12 * hour];
    for (;;) {
      await this.#schedule.sleep(server, this.#random.pick(pauses), 'keeps house');
      const { reconcilePayments, expireOrders, purgeIdempotencyKeys, eraseUsers } =
        server.portico.backgroundJobs;
      await reconcilePayments();
      if (this.#random.chance(0.3))
        await this.#random.pick([expireOrders, purgeIdempotencyKeys, eraseUsers])();
    }
  }

  async #round({ portico: { backgroundJobs } }: Server): Promise<void> {
    await backgroundJobs.reconcilePayments();
    await backgroundJobs.expireOrders();
    await backgroundJobs.purgeIdempotencyKeys();
    await backgroundJobs.eraseUsers();
  }

  #planCrashes(): void {
    for (let crashes = this.#random.below(4); crashes > 0; crashes -= 1) {
      this.#schedule.after(this.#random.below(this.#random.pick([3, 15, 90, 27 * 3600]) * second), () => {
        if (this.#weather.isClear) return;
        const place = this.#random.below(this.#servers.length);
        this.#servers[place]?.crash();
        if (this.#servers[place] === undefined) return;
        this.#servers[place] = undefined;
        this.#schedule.after(this.#random.below(40 * second), () => this.#boot(place));
      });
    }
  }

  /** For hours or days the provider responds to no request, although it may carry it out. */
  #planOutage(): void {
    this.#schedule.after(this.#random.below(this.#random.pick([5, 60, 300]) * second), () => {
      this.#weather.isOutage = true;
      this.#schedule.after(this.#random.pick([20, 26, 50]) * hour, () => {
        this.#weather.isOutage = false;
      });
    });
  }

  /** Every client retries once more, with servers that are up and a provider that responds: then nothing may be unsettled. */
  async #settleDown(shop: Shop): Promise<readonly string[]> {
    const end: Actor = { name: 'the end', isGone: false };
    this.#weather.clearUp();
    this.#schedule.slowDown();
    await this.#schedule.sleep(end, 2 * hour, 'has come');
    const server = this.#servers.find((one) => one !== undefined) ?? this.#boot(0);
    for (let rounds = 0; rounds < 2; rounds += 1) {
      await server.serve(() => this.#round(server));
      await this.#schedule.sleep(end, times.lease, 'waits');
    }
    // A refund that fades from the provider's memory waits for an hour, and is settled then.
    if ((await this.#leftOpen(shop)).length > 0) {
      await this.#schedule.sleep(end, 2 * hour, 'waits once more');
      await server.serve(() => this.#round(server));
    }
    const left = await this.#leftOpen(shop);
    for (const one of this.#errands.filter(({ wasSent: wasAsked }) => wasAsked)) await this.#askOnceMore(one);
    // An erasure that begins only now has two passes, one at once and one after the last requests of the user.
    for (let passes = 0; passes < 2; passes += 1) {
      await server.serve(({ backgroundJobs }) => backgroundJobs.eraseUsers());
      await this.#schedule.sleep(end, times.lease, 'waits for an erasure');
    }
    await server.serve(({ backgroundJobs }) => backgroundJobs.eraseUsers());
    return left;
  }

  #leftOpen({ store }: Shop): Promise<readonly string[]> {
    return leftOpen(store, Instant.at(this.#schedule.now - times.orderLifetime - hour));
  }

  async #askOnceMore(one: Operation): Promise<void> {
    const client = this.#client(`${one.key} again`, one);
    for (let tries = 0; tries < 4; tries += 1) {
      if (await client.sendOnce()) return;
      await this.#schedule.sleep(client, times.lease, 'waits for a lease to end');
    }
    one.contradictions.push(`${one.key} is stuck`);
  }

  #client(name: string, one: Operation): Client {
    const anyServer = () => {
      const up = this.#servers.filter((server) => server !== undefined);
      return up.length === 0 ? undefined : this.#random.pick(up);
    };
    const { store, ada } = this.#theShop;
    const isErased = () => isErasedIn(store, ada.userId);
    const erasure = { isErased, erasable: ada.userId };
    return new Client(name, one, { schedule: this.#schedule, random: this.#random, anyServer, ...erasure });
  }
}
