import type { Application } from '#application/application.ts';
import type { StoreUnitOfWork, StoreWork } from '#application/ports/unit-of-work.ts';
import type { Random } from '#test/support/random.ts';
import type { NetworkFaults } from './network-faults.ts';
import type { Actor, Schedule } from './schedule.ts';

/** For how long a server stops now and then, as when its machine swaps, in milliseconds. */
const stalls = { least: 1_000, most: 90_000 };

export interface Dependencies {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly store: StoreUnitOfWork;
  readonly networkFaults: NetworkFaults;
}

/** What a client sees of a server that died. */
export class ConnectionLost extends Error {}

/** One life of a server process, with what it runs. After `crash` nothing that it had begun goes on. */
export class Server<Portico = Application> implements Actor {
  readonly name: string;
  readonly portico: Portico;
  readonly #schedule: Schedule;
  readonly #random: Random;
  readonly #networkFaults: NetworkFaults;
  readonly #death = Promise.withResolvers<never>();
  #isGone = false;

  /** @param assemble makes the application of what this server gives it */
  constructor(
    name: string,
    { schedule, random, store, networkFaults }: Dependencies,
    assemble: (server: Server<Portico>, unitOfWork: StoreUnitOfWork) => Portico,
  ) {
    this.name = name;
    this.#schedule = schedule;
    this.#random = random;
    this.#networkFaults = networkFaults;
    this.#death.promise.catch(() => undefined);
    this.portico = assemble(this, this.#reach(store));
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  crash(): void {
    this.#isGone = true;
    this.#schedule.note(this, 'CRASHES');
    this.#death.reject(new ConnectionLost());
  }

  /** Lets it do something for a client. @throws ConnectionLost when it dies meanwhile */
  serve<T>(act: (portico: Portico) => Promise<T>): Promise<T> {
    return Promise.race([act(this.portico), this.#death.promise]);
  }

  /** Waits for its turn, and now and then much longer. */
  async turn(what: string): Promise<void> {
    if (this.#random.chance(this.#networkFaults.stalls)) {
      const pause = this.#random.between(stalls.least, stalls.most);
      return this.#schedule.sleep(this, pause, `${what}, after a stall`);
    }
    return this.#schedule.turn(this, what);
  }

  /**
   * The store, with a turn wherever something can come in between: before a unit of work, before its commit and after
   * it. A crash within one is a crash before its commit, because no other reads any of it.
   */
  #reach(store: StoreUnitOfWork): StoreUnitOfWork {
    const alive = <T>(work: StoreWork<T>): StoreWork<T> => {
      return (repositories) =>
        Promise.race([
          work(repositories).then(async (result) => {
            await this.turn('commits');
            return result;
          }),
          this.#death.promise,
        ]);
    };
    return {
      run: async (work) => {
        await this.turn('begins');
        const committed = await store.run(alive(work)).catch(this.#unlessGone);
        await this.turn('has committed');
        return committed;
      },
      read: async (reading) => {
        await this.turn('reads');
        return store.read(reading);
      },
    };
  }

  /** The dead hear of no failure. */
  readonly #unlessGone = (error: unknown): Promise<never> => {
    if (this.#isGone) return new Promise(() => undefined);
    throw error;
  };
}
