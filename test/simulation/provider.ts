import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider, Verdict } from '#application/ports/payment-provider.ts';
import type { Money } from '#domain/money.ts';
import type { Random } from '#test/support/random.ts';
import type { Actor, Schedule } from './schedule.ts';
import type { Weather } from './weather.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long the provider keeps a key, in milliseconds, and how much of that is left for requests in flight. */
const memory = { real: 24 * hour, promised: 23 * hour };

/** How long a server waits for it, in milliseconds. */
const deadline = 10 * second;

/** Money that moved. */
export interface Movement {
  /** The payment or refund that it was for. */
  readonly id: string;
  readonly amount: Money;
  readonly reference: string;
}

/** What the network and the provider do to one request. */
type Fate = 'answered' | 'lost' | 'failed' | 'executed and failed' | 'unanswered' | 'late';

const fates: readonly Fate[] = ['lost', 'failed', 'executed and failed', 'unanswered', 'late'];

/**
 * A provider with a ledger at the other end of a bad network. What was sent may arrive although its sender is dead or
 * has stopped waiting; keys are forgotten after a day; the ledger never forgets.
 */
export class SimulatedProvider {
  readonly charges: Movement[] = [];
  readonly refunds: Movement[] = [];
  /** Otherwise a charge that was closed may be made all the same. */
  closesForGood = true;
  /** When false, every request counts as new, as if each had a key of its own. */
  knowsKeys = true;
  readonly #keys = new Map<string, { readonly verdict: Verdict; readonly since: number }>();
  readonly #schedule: Schedule;
  readonly #random: Random;
  readonly #weather: Weather;

  constructor(schedule: Schedule, random: Random, weather: Weather) {
    this.#schedule = schedule;
    this.#random = random;
    this.#weather = weather;
  }

  /** As one server sees it. */
  seenBy(server: Actor): PaymentProvider {
    const send = (what: string, arrive: () => Verdict) => this.#send(server, what, arrive);
    return {
      name: 'simulated',
      idempotencyWindowMs: memory.promised,
      charge: ({ paymentId, amount, paymentMethod }) =>
        send('charge', () =>
          this.#once(paymentId, () =>
            paymentMethod === 'declining' ? declined('card_declined') : move(this.charges, paymentId, amount),
          ),
        ),
      closeCharge: ({ paymentId }) =>
        send('close charge', () => found(this.charges, paymentId) ?? this.#close(paymentId)),
      reverse: ({ refundId, amount }) =>
        send('reverse', () => this.#once(refundId, () => move(this.refunds, refundId, amount))),
      closeReversal: ({ refundId }) =>
        send('close reversal', () => found(this.refunds, refundId) ?? declined('not_refunded')),
    };
  }

  /** The first verdict under a key stands, for as long as the key is known. */
  #once(id: string, decide: () => Verdict): Verdict {
    const known = this.#keys.get(id);
    const isKnown = known !== undefined && this.#schedule.now - known.since < memory.real;
    if (this.knowsKeys && isKnown) return known.verdict;
    const verdict = decide();
    this.#keys.set(id, { verdict, since: this.#schedule.now });
    return verdict;
  }

  #close(id: string): Verdict {
    const verdict = declined('not_charged');
    return this.closesForGood ? this.#once(id, () => verdict) : verdict;
  }

  async #send(server: Actor, what: string, arrive: () => Verdict): Promise<Verdict> {
    const schedule = this.#schedule;
    const fate = this.#random.chance(this.#weather.trouble) ? this.#random.pick(fates) : 'answered';
    await schedule.turn(server, `sends ${what} (${fate})`);
    const response = new Promise<Verdict>((resolve, reject) => {
      const comesBack = (end: () => void) => schedule.after(this.#random.between(10, 2_000), end);
      const fails = () => comesBack(() => reject(failed()));
      schedule.after(this.#travelTime(fate), () => {
        if (fate === 'lost' || fate === 'failed') return fails();
        const verdict = arrive();
        schedule.note(
          server,
          `had its ${what} arrive: ${'declined' in verdict ? verdict.declined.code : 'done'}`,
        );
        if (fate === 'executed and failed') return fails();
        if (fate === 'answered') comesBack(() => resolve(verdict));
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

const move = (ledger: Movement[], id: string, amount: Money): Verdict => {
  const reference = `${id} for the ${ledger.length + 1}th`;
  ledger.push({ id, amount, reference });
  return { reference };
};

const found = (ledger: readonly Movement[], id: string): Verdict | undefined => {
  const movement = ledger.find((one) => one.id === id);
  return movement && { reference: movement.reference };
};

const declined = (code: string): Verdict => ({ declined: { code, message: 'The provider declined.' } });

const failed = (): Error => new ApplicationError('provider-failed', 'The provider failed.');
const timedOut = (): Error => new ApplicationError('provider-timeout', 'The provider did not answer.');
