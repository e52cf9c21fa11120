import type { Mandate, Work } from '#application/ports/unit-of-work.ts';
import { throwIfExpired } from '../../deadline.ts';
import { unavailable } from '../../sql/constraint-errors.ts';
import { Group, type Means } from './group.ts';
import { Member, type Outcome } from './member.ts';

/** How many units of work are one group at the most, and how many groups may be on their way to the disk. */
const most = { members: 64, committing: 2 };

/** How long a turn is waited for at the most, and how often it is looked who has waited for longer, in milliseconds. */
const patience = 2_000;
const glance = 50;

/**
 * Lets units of work that are there at once be one transaction. One group at a time is under way, and the next one when all
 * that is left of it is to be committed; who comes meanwhile is in the next, so that groups grow as there is more to do.
 */
export class Groups {
  readonly #means: Means;
  #committing: readonly Group[] = [];
  #queue: Member[] = [];
  #isGathering = false;
  #served = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(means: Means) {
    this.#means = means;
  }

  /** Who waits for a group, and who has come into one. */
  get turns(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.#queue.length, served: this.#served };
  }

  /** @throws what the work throws, and whatever a transaction may come to */
  join(work: Work<unknown>, mandate: Mandate, commitBy: number): Promise<Outcome> {
    const member = new Member(work, mandate, commitBy);
    this.#queue.push(member);
    this.#next();
    this.#watch ??= setTimeout(this.#look, glance);
    return member.outcome;
  }

  #next(): void {
    if (this.#isGathering || this.#queue.length === 0 || this.#committing.length >= most.committing) return;
    this.#isGathering = true;
    setImmediate(() => void this.#gather());
  }

  async #gather(): Promise<void> {
    const { connections } = this.#means;
    const first = [...this.#queue];
    try {
      const client = await connections.take(Math.max(...first.map(({ until }) => until)));
      const members = this.#queue.splice(0, most.members).filter(isInTime);
      this.#served += members.length;
      const group = new Group(this.#means, client, members, this.#committing);
      group.begin();
      await group.decided;
      this.#committing = [...this.#committing, group];
      void group.over.then(() => {
        this.#committing = this.#committing.filter((each) => each !== group);
        this.#next();
      });
    } catch (error) {
      this.#dismiss(first, error);
    }
    this.#isGathering = false;
    this.#next();
  }

  readonly #look = (): void => {
    const now = performance.now();
    const late = this.#queue.filter(({ asked, until }) => now >= Math.min(until, asked + patience));
    this.#dismiss(late, unavailable(new Error('No turn came in time.')));
    this.#watch = this.#queue.length > 0 ? setTimeout(this.#look, glance) : undefined;
  };

  #dismiss(members: readonly Member[], error: unknown): void {
    const dismissed = new Set(members);
    this.#queue = this.#queue.filter((member) => !dismissed.has(member));
    for (const member of dismissed) member.refuse(error);
  }
}

const isInTime = (member: Member): boolean => {
  try {
    throwIfExpired(member.until);
    return true;
  } catch (error) {
    member.refuse(error);
    return false;
  }
};
