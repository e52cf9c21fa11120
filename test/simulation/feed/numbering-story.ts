import { Random } from '#test/support/random.ts';
import { type Actor, Schedule } from '../schedule.ts';

const start = Date.UTC(2026, 2, 1, 12);

/** How many steps a story may take; far more than any needs. */
const longest = 20_000;

const subjectCount = 2;

/** A row of the queue, as a transaction of a database leaves it. */
interface QueuedEvent {
  readonly subject: number;
  readonly version: number;
  /** From a sequence of the database, given when the row is inserted. */
  readonly identity: number;
  readonly transaction: number;
  isCommitted: boolean;
  /** Undefined until it is numbered. */
  sequence: number | undefined;
}

/** How events are numbered. The fields say where a way that does not work differs. */
export interface Numbering {
  /** What rows are numbered by. */
  readonly order: 'identity' | 'transaction';
  /** Whether the rows are read before the lock of the counter is held, as one statement does. */
  readonly readsBeforeLock: boolean;
  /** Whether a row has its number already when it is inserted, before its commit. */
  readonly isAtInsertion: boolean;
}

/** As `adapters/persistence/postgres/events/sequencer.ts` does it: lock the counter, then number in a statement of its own. */
const soundNumbering: Numbering = { order: 'identity', readsBeforeLock: false, isAtInsertion: false };

/** Ways of numbering that lose events or break their order. */
export const wrongNumberings: Readonly<Record<string, Numbering>> = {
  'numbers at insertion': { ...soundNumbering, isAtInsertion: true },
  'an order by transaction id': { ...soundNumbering, order: 'transaction' },
  'one statement that locks and numbers': { ...soundNumbering, readsBeforeLock: true },
};

/** A lock of the database. Those that wait get it in no particular order. */
class RowLock {
  #isHeld = false;

  async acquire(wait: () => Promise<void>): Promise<void> {
    while (this.#isHeld) await wait();
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
  }
}

/**
 * One story of a feed whose events are numbered behind the commit: transactions that overlap, several sequencers, and a reader. It is a
 * model of the algorithm, in which every order of steps can happen; what the databases do with it, the suites of the stores test.
 */
export class NumberingStory {
  readonly #random: Random;
  readonly #schedule: Schedule;
  readonly #numbering: Numbering;
  readonly #queue: QueuedEvent[] = [];
  readonly #locks = Array.from({ length: subjectCount }, () => new RowLock());
  readonly #counterLock = new RowLock();
  readonly #versions = Array.from({ length: subjectCount }, () => 0);
  readonly #seen: QueuedEvent[] = [];
  #transactions = 0;
  #identities = 0;
  #counter = 0;
  #lastSeen = 0;
  #isOver = false;
  #problems: readonly string[] | undefined;

  constructor(seed: number, numbering: Numbering = soundNumbering) {
    this.#random = new Random(seed);
    this.#schedule = new Schedule(this.#random, start);
    this.#numbering = numbering;
    void this.#play();
  }

  get problems(): readonly string[] | undefined {
    return this.#problems;
  }

  get steps(): number {
    return this.#schedule.steps;
  }

  step(): void {
    if (this.#problems !== undefined) return;
    this.#schedule.step();
    if (this.#schedule.steps > longest) this.#problems = ['The story does not end.'];
  }

  async #play(): Promise<void> {
    const actors = (count: number, name: string): readonly Actor[] =>
      Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}`, isGone: false }));
    for (const actor of actors(2, 'sequencer')) void this.#numberAgainAndAgain(actor);
    const reading = this.#follow({ name: 'reader', isGone: false });
    await Promise.all(actors(4, 'writer').map((actor) => this.#write(actor)));
    const end: Actor = { name: 'the end', isGone: false };
    await this.#schedule.sleep(end, 60_000, 'waits for the sequencers');
    await this.#numberOnce(end);
    this.#isOver = true;
    await reading;
    this.#problems = this.#judge();
  }

  async #write(actor: Actor): Promise<void> {
    const turn = (what: string) => this.#schedule.turn(actor, what);
    for (let left = this.#random.between(1, 6); left > 0; left -= 1) {
      await turn('begins');
      this.#transactions += 1;
      const transaction = this.#transactions;
      const subject = this.#random.below(subjectCount);
      const lock = this.#locks[subject];
      await lock?.acquire(() => turn('waits for a row'));
      await turn('has locked a row');
      const version = (this.#versions[subject] ?? 0) + 1;
      this.#identities += 1;
      const identity = this.#identities;
      const sequence = this.#numbering.isAtInsertion ? identity : undefined;
      const event = { subject, version, identity, transaction, isCommitted: false, sequence };
      this.#queue.push(event);
      await turn('commits');
      this.#versions[subject] = version;
      event.isCommitted = true;
      lock?.release();
    }
  }

  async #numberAgainAndAgain(actor: Actor): Promise<void> {
    while (!this.#isOver) {
      await this.#schedule.sleep(actor, this.#random.below(20), 'numbers');
      await this.#numberOnce(actor);
    }
  }

  async #numberOnce(actor: Actor): Promise<void> {
    const { order, readsBeforeLock } = this.#numbering;
    const unnumbered = () =>
      this.#queue.filter(({ isCommitted, sequence }) => isCommitted && sequence === undefined);
    const early = readsBeforeLock ? unnumbered() : [];
    await this.#counterLock.acquire(() => this.#schedule.turn(actor, 'waits for the counter'));
    await this.#schedule.turn(actor, 'has locked the counter');
    const rows = readsBeforeLock ? early : unnumbered();
    await this.#schedule.turn(actor, 'commits the numbers');
    for (const event of rows.toSorted((one, other) => one[order] - other[order])) {
      this.#counter += 1;
      event.sequence = this.#counter;
    }
    this.#counterLock.release();
  }

  /** Reads what is visible behind the last event that it has seen. */
  async #follow(actor: Actor): Promise<void> {
    for (let isLast = false; !isLast; ) {
      isLast = this.#isOver;
      const next = this.#queue
        .filter(({ isCommitted, sequence = 0 }) => isCommitted && sequence > this.#lastSeen)
        .toSorted((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
      for (const event of next) {
        this.#seen.push({ ...event });
        this.#lastSeen = event.sequence ?? 0;
      }
      if (!isLast) await this.#schedule.sleep(actor, this.#random.below(10), 'reads');
    }
  }

  #judge(): readonly string[] {
    const problems: string[] = [];
    for (const [index, { sequence }] of this.#seen.entries())
      if (sequence !== index + 1) problems.push(`The event ${index + 1} has the sequence ${sequence}.`);
    for (const { identity } of this.#queue) {
      const count = this.#seen.filter((event) => event.identity === identity).length;
      if (count !== 1) problems.push(`The event of row ${identity} was seen ${count} times.`);
    }
    const last = new Map<number, number>();
    for (const { subject, version } of this.#seen) {
      if (version <= (last.get(subject) ?? 0)) problems.push(`Version ${version} came after a later one.`);
      last.set(subject, version);
    }
    return problems;
  }
}
