import { Instant } from '#domain/instant.ts';
import type { Random } from '#test/support/random.ts';

/** An actor that can be dead when its turn comes: then the turn is skipped, and its promise never settles. */
export interface Actor {
  readonly name: string;
  readonly isGone: boolean;
}

interface Turn {
  readonly actor: Actor;
  readonly what: string;
  readonly since: number;
  readonly go: () => void;
}

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly ring: () => void;
}

/** How likely it is that time passes although an actor could continue, and how long it can be delayed, in milliseconds. */
const hurry = { probability: 0.15, most: 15 * 60_000 };

/**
 * Decides who goes on and when time passes. Everything that happens in a simulation waits here for its turn, so the
 * seed alone decides in which order it happens.
 */
export class Schedule {
  readonly #random: Random;
  readonly #ready: Turn[] = [];
  readonly #alarms: Alarm[] = [];
  readonly #trace: string[] | undefined;
  #now: number;
  #instant: Instant | undefined;
  #alarmsSet = 0;
  #haste = hurry.probability;
  #steps = 0;

  /** @param trace where to write down what happens; without it nothing is written, which is much faster */
  constructor(random: Random, start: number, trace?: string[]) {
    this.#random = random;
    this.#now = start;
    this.#trace = trace;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#now;
  }

  /** The current time as an instant, cached because it is read far more often than time passes. */
  get instant(): Instant {
    this.#instant ??= Instant.at(this.#now);
    return this.#instant;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Resolves when it is the actor's turn. */
  turn(actor: Actor, what: string): Promise<void> {
    return new Promise((go) => {
      this.#ready.push({ actor, what, since: this.#now, go });
    });
  }

  /** Resolves when that much time has passed and it is the actor's turn. */
  sleep(actor: Actor, milliseconds: number, what: string): Promise<void> {
    return new Promise((go) => {
      this.after(milliseconds, () => this.#ready.push({ actor, what, since: this.#now, go }));
    });
  }

  /** Schedules an event that no crash prevents. */
  after(milliseconds: number, ring: () => void): void {
    const alarm = { at: this.#now + milliseconds, order: this.#alarmsSet, ring };
    this.#alarmsSet += 1;
    let place = this.#alarms.length;
    // The next alarm is the last of the list; of two at the same time the first that was set rings first.
    while (place > 0 && isBefore(this.#alarms[place - 1], alarm)) place -= 1;
    this.#alarms.splice(place, 0, alarm);
  }

  /** From now on time passes only when no actor can continue. */
  slowDown(): void {
    this.#haste = 0;
  }

  note(actor: Actor, what: string): void {
    this.#trace?.push(`${new Date(this.#now).toISOString()}  ${actor.name.padEnd(10)}  ${what}`);
  }

  /** Lets one thing happen. @returns whether there was any */
  step(): boolean {
    this.#steps += 1;
    const place = this.#random.below(this.#ready.length);
    const turn = this.#ready[place];
    if (turn === undefined || (this.#random.chance(this.#haste) && this.#canPassTime())) {
      return this.#passTime();
    }
    const last = this.#ready.pop();
    if (last !== undefined && turn !== last) this.#ready[place] = last;
    if (turn.actor.isGone) return true;
    this.note(turn.actor, turn.what);
    turn.go();
    return true;
  }

  /** Not when an actor would be delayed for longer than any machine stalls. */
  #canPassTime(): boolean {
    const next = this.#alarms.at(-1);
    return next !== undefined && this.#ready.every(({ since }) => next.at - since <= hurry.most);
  }

  #passTime(): boolean {
    const alarm = this.#alarms.pop();
    if (alarm === undefined) return false;
    if (alarm.at !== this.#now) this.#instant = undefined;
    this.#now = alarm.at;
    alarm.ring();
    return true;
  }
}

const isBefore = (one: Alarm | undefined, other: Alarm): boolean =>
  one !== undefined && (one.at < other.at || (one.at === other.at && one.order < other.order));
