import { UnavailableError } from '#application/errors.ts';
import type { RequestContext, Work } from '#application/ports/unit-of-work.ts';
import { throwIfExpired } from '../../deadline.ts';
import { type Dependencies, Group } from './group.ts';
import { Member, type Outcome } from './member.ts';

/** The maximum size of a group, and the maximum number of groups that commit at the same time. */
const most = { members: 64, committing: 2 };

/** How long a unit of work may wait for a group, and the interval between two checks of that, in milliseconds. */
const maxQueueTimeMs = 2_000;
const sweepIntervalMs = 50;

/**
 * Schedules group commit. One group runs at a time, and the next starts when only the commit of the group is left. Units of
 * work that arrive meanwhile form the next group, so that groups grow with the load.
 */
export class Groups {
  readonly #dependencies: Dependencies;
  #committing: readonly Group[] = [];
  #queue: Member[] = [];
  #isGathering = false;
  #served = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** How many units of work wait for a group, and how many have joined one so far. */
  get queue(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.#queue.length, served: this.#served };
  }

  /** @throws what the work throws, and the translated errors of the transaction */
  join(work: Work<unknown>, context: RequestContext, commitBy: number): Promise<Outcome> {
    const member = new Member(work, context, commitBy);
    this.#queue.push(member);
    this.#next();
    this.#watch ??= setTimeout(this.#look, sweepIntervalMs);
    return member.outcome;
  }

  #next(): void {
    if (this.#isGathering || this.#queue.length === 0 || this.#committing.length >= most.committing) return;
    this.#isGathering = true;
    setImmediate(() => void this.#gather());
  }

  async #gather(): Promise<void> {
    const { connections } = this.#dependencies;
    const first = [...this.#queue];
    try {
      const client = await connections.acquire(Math.max(...first.map(({ until }) => until)));
      const members = this.#queue.splice(0, most.members).filter(isInTime);
      this.#served += members.length;
      const group = new Group(this.#dependencies, client, members, this.#committing);
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
    const late = this.#queue.filter(
      ({ enqueuedAt, until }) => now >= Math.min(until, enqueuedAt + maxQueueTimeMs),
    );
    this.#dismiss(late, new UnavailableError('overloaded', new Error('No group was free in time.')));
    this.#watch = this.#queue.length > 0 ? setTimeout(this.#look, sweepIntervalMs) : undefined;
  };

  #dismiss(members: readonly Member[], error: unknown): void {
    const dismissed = new Set(members);
    this.#queue = this.#queue.filter((member) => !dismissed.has(member));
    for (const member of dismissed) member.reject(error);
  }
}

const isInTime = (member: Member): boolean => {
  try {
    throwIfExpired(member.until);
    return true;
  } catch (error) {
    member.reject(error);
    return false;
  }
};
