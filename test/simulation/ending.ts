import type { Durations } from '#application/application.ts';
import { Instant } from '#domain/instant.ts';
import type { Client, Operation } from './client.ts';
import type { Fleet } from './fleet.ts';
import type { Housekeeping } from './housekeeping.ts';
import { leftOpen } from './judgement/judgement.ts';
import { leftWaiting } from './judgement/provider-events.ts';
import type { NetworkFaults } from './network-faults.ts';
import type { Operator } from './operator.ts';
import type { SimulatedProvider } from './provider/provider.ts';
import type { Actor, Schedule } from './schedule.ts';
import type { Shop } from './shop.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How long the end waits between two rounds, in milliseconds. The last stands for all that follow. */
const lateWaits = [hour, 24 * hour, 72 * hour];

/** How many rounds the end takes at most: enough for three months. */
const maxLateRounds = 40;

interface Dependencies {
  readonly shop: Shop;
  readonly schedule: Schedule;
  readonly networkFaults: NetworkFaults;
  readonly provider: SimulatedProvider;
  readonly fleet: Fleet;
  readonly housekeeping: Housekeeping;
  readonly operator: Operator;
  readonly times: Durations;
  /** A client that comes back with an operation. */
  readonly client: (one: Operation) => Client;
}

/** The end of a story: the network recovers, and there is time for everything to be settled. */
export class Ending implements Actor {
  readonly name = 'the end';
  readonly isGone = false;
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** @returns what is unsettled although there was time enough */
  async play(operations: readonly Operation[]): Promise<readonly string[]> {
    const left = await this.#settleDown();
    for (const one of operations.filter(({ wasSent }) => wasSent)) await this.#askOnceMore(one);
    return [...left, ...(await this.#waitForLast())];
  }

  /** With servers that are up and a provider that responds nothing may be unsettled, except what payers and banks decide. */
  async #settleDown(): Promise<readonly string[]> {
    const { schedule, networkFaults, housekeeping, operator, shop, fleet, times, provider } =
      this.#dependencies;
    networkFaults.clearUp();
    schedule.slowDown();
    await schedule.sleep(this, 2 * hour, 'has come');
    housekeeping.end();
    for (let rounds = 0; rounds < 2; rounds += 1) {
      await this.#round();
      await schedule.sleep(this, times.lease, 'waits');
    }
    // A refund that fades from the provider's memory waits for an hour, and is settled then.
    if ((await this.#leftOpen(true)).length > 0) {
      await operator.settle(shop, fleet.first().portico);
      await schedule.sleep(this, 2 * hour, 'waits once more');
      await this.#round();
    }
    return [...(await this.#leftOpen(true)), ...(await leftWaiting(shop.store, provider))];
  }

  async #askOnceMore(one: Operation): Promise<void> {
    const { schedule, client, times, operator, shop, fleet } = this.#dependencies;
    const again = client(one);
    for (let tries = 0; tries < 4; tries += 1) {
      if (await again.sendOnce()) return;
      await operator.settle(shop, fleet.first().portico);
      await schedule.sleep(again, times.lease, 'waits for a lease to end');
    }
    one.contradictions.push(`${one.key} is stuck`);
  }

  /** Waits until payers and banks have nothing left to decide, and all of it is known. */
  async #waitForLast(): Promise<readonly string[]> {
    const { schedule, operator, provider, shop, fleet } = this.#dependencies;
    for (let rounds = 0; rounds < maxLateRounds; rounds += 1) {
      await this.#round();
      await operator.settle(shop, fleet.first().portico);
      await operator.writeOff(shop, fleet.first().portico);
      if (provider.timers.isEmpty && (await this.#leftOpen(false)).length === 0) break;
      const wait = lateWaits[Math.min(lateWaits.length - 1, rounds)] ?? hour;
      await schedule.sleep(this, wait, 'waits for the last decisions');
    }
    // What was listed late is read now. An erasure has two passes, one at once and one after the last requests of the user.
    for (let passes = 0; passes < 2; passes += 1) {
      await schedule.sleep(this, 5 * minute, 'waits for the last news, and an erasure');
      await this.#round();
    }
    return this.#leftOpen(false);
  }

  #round(): Promise<void> {
    const { fleet, housekeeping } = this.#dependencies;
    const server = fleet.first();
    return server.serve(() => housekeeping.round(server));
  }

  #leftOpen(mayWait: boolean): Promise<readonly string[]> {
    const { shop, schedule, times } = this.#dependencies;
    return leftOpen(shop.store, Instant.at(schedule.now - times.orderLifetime - hour), mayWait);
  }
}
