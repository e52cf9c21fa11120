import { ApplicationError } from '#application/errors.ts';
import type { Random } from '#test/support/random.ts';
import type { NetworkFaults } from '../network-faults.ts';
import type { Actor, Schedule } from '../schedule.ts';

const second = 1_000;
const minute = 60 * second;

/** How long a server waits for the provider, in milliseconds. */
const deadline = 10 * second;

/** What the network and the provider do to one request. */
type Fate = 'answered' | 'lost' | 'failed' | 'executed and failed' | 'unanswered' | 'late';

const fates: readonly Fate[] = ['lost', 'failed', 'executed and failed', 'unanswered', 'late'];

/** A bad network between servers and provider. What was sent may arrive although its sender is dead or has stopped waiting. */
export class Network {
  readonly #schedule: Schedule;
  readonly #random: Random;
  readonly #networkFaults: NetworkFaults;

  /** What can happen to requests. In some stories what does not come through is always late. */
  readonly #fates: readonly Fate[];

  constructor(schedule: Schedule, random: Random, networkFaults: NetworkFaults) {
    this.#schedule = schedule;
    this.#random = random;
    this.#networkFaults = networkFaults;
    this.#fates = random.chance(0.2) ? ['late'] : fates;
  }

  /** @param arrive what the provider does when the request arrives */
  async send<T>(server: Actor, what: string, arrive: () => T): Promise<T> {
    const schedule = this.#schedule;
    const fate = this.#random.chance(this.#networkFaults.trouble)
      ? this.#random.pick(this.#fates)
      : 'answered';
    await schedule.turn(server, `sends ${what} (${fate})`);
    const response = new Promise<T>((resolve, reject) => {
      const comesBack = (end: () => void) => schedule.after(this.#random.between(10, 2_000), end);
      const fails = () => comesBack(() => reject(failed()));
      schedule.after(this.#travelTime(fate), () => {
        if (fate === 'lost' || fate === 'failed') {
          fails();
          return;
        }
        const result = arrive();
        schedule.note(server, `had its ${what} arrive: ${outcomeOf(result)}`);
        if (fate === 'executed and failed') fails();
        if (fate === 'answered') comesBack(() => resolve(result));
      });
      schedule.after(deadline, () => reject(timedOut()));
    });
    const outcome = await response.catch((error: Error) => error);
    await schedule.turn(server, `hears of its ${what}`);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  /** A late request arrives after its client has given up. */
  #travelTime(fate: Fate): number {
    return fate === 'late' ? this.#random.between(deadline, 30 * minute) : this.#random.between(10, 1_000);
  }
}

const outcomeOf = (result: unknown): string => {
  if (typeof result !== 'object' || result === null) return 'nothing';
  if ('declined' in result) return JSON.stringify(result.declined);
  if ('canceled' in result) return 'canceled';
  return 'waitsFor' in result ? `waits for ${result.waitsFor}` : 'done';
};

const failed = (): Error => new ApplicationError('provider-failed', 'The provider failed.');
const timedOut = (): Error => new ApplicationError('provider-timeout', 'The provider did not answer.');
