import type { Random } from '#test/support/random.ts';
import type { NetworkFaults } from './network-faults.ts';
import type { Schedule } from './schedule.ts';
import type { Server } from './server.ts';

const second = 1_000;

interface Dependencies {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly networkFaults: NetworkFaults;
  /** Begins a new life of a server. @param name which has not been given before @param place from 0 on */
  readonly start: (name: string, place: number) => Server;
}

/** The servers of the shop, which die and come back. */
export class Fleet {
  readonly #dependencies: Dependencies;
  readonly #servers: (Server | undefined)[] = [undefined, undefined];
  #lives = 0;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  startAll(): void {
    for (const place of this.#servers.keys()) this.#boot(place);
  }

  /** Any one that is up; undefined while none is. */
  readonly any = (): Server | undefined => {
    const up = this.#servers.filter((server) => server !== undefined);
    return up.length === 0 ? undefined : this.#dependencies.random.pick(up);
  };

  /** The first that is up, or else a new one. */
  first(): Server {
    return this.#servers.find((one) => one !== undefined) ?? this.#boot(0);
  }

  planCrashes(): void {
    const { schedule, random, networkFaults } = this.#dependencies;
    for (let crashes = random.below(4); crashes > 0; crashes -= 1) {
      schedule.after(random.below(random.pick([3, 15, 90, 27 * 3600]) * second), () => {
        if (networkFaults.isClear) return;
        const place = random.below(this.#servers.length);
        this.#servers[place]?.crash();
        if (this.#servers[place] === undefined) return;
        this.#servers[place] = undefined;
        schedule.after(random.below(40 * second), () => this.#boot(place));
      });
    }
  }

  #boot(place: number): Server {
    this.#lives += 1;
    const server = this.#dependencies.start(`server ${'AB'[place]}${this.#lives}`, place);
    this.#servers[place] = server;
    return server;
  }
}
