import type { TableShape } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import type { Member } from './member.ts';
import { Apart } from './member.ts';

interface Waiting {
  readonly member: Member;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** A row lock of a group, whether or not the row exists, and the member that holds it now. */
interface Hold {
  row: Row | undefined;
  holder: Member | undefined;
  /** The last member that held it and completed. */
  last: Member | undefined;
  readonly queue: Waiting[];
}

/** The lock table of a group. To the database the whole group is one lock holder; its members hold each row in turn. */
export class Holds {
  readonly #all = new Map<TableShape, Map<string, Hold>>();

  has(of: TableShape, key: string): boolean {
    return this.#all.get(of)?.has(key) ?? false;
  }

  /** The members that wait for another member's lock. */
  get waiting(): ReadonlySet<Member> {
    return new Set(this.#holds().flatMap(({ queue }) => queue.map(({ member }) => member)));
  }

  /**
   * Acquires the lock of a row, and waits while another member holds it.
   * @param ask locks the row in the database; called for the group's first lock of the row
   * @returns the row as the last member that completed has left it
   */
  async take(
    member: Member,
    of: TableShape,
    key: string,
    ask: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const hold = this.#all.get(of)?.get(key);
    if (hold === undefined) return this.#first(member, of, key, ask);
    if (hold.holder !== undefined && hold.holder !== member) {
      const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>();
      hold.queue.push({ member, resolve, reject });
      await promise;
    }
    return this.#have(hold, member, of, key);
  }

  /** Releases a member's locks to the next in line. @param isDone whether its writes count */
  free(member: Member, isDone: boolean): void {
    for (const hold of this.#holds()) {
      const place = hold.queue.findIndex((waiting) => waiting.member === member);
      if (place >= 0) hold.queue.splice(place, 1)[0]?.reject(new Apart('The unit of work runs elsewhere.'));
      if (hold.holder !== member) continue;
      if (isDone) hold.last = member;
      const next = hold.queue.shift();
      hold.holder = next?.member;
      next?.resolve(hold.row);
    }
  }

  async #first(
    member: Member,
    of: TableShape,
    key: string,
    ask: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const hold: Hold = { row: undefined, holder: member, last: undefined, queue: [] };
    const holds = this.#all.get(of) ?? new Map<string, Hold>();
    this.#all.set(of, holds);
    holds.set(key, hold);
    try {
      hold.row = await ask();
    } catch (error) {
      holds.delete(key);
      for (const { reject } of hold.queue) reject(error);
      throw error;
    }
    return this.#have(hold, member, of, key);
  }

  #have(hold: Hold, member: Member, of: TableShape, key: string): Row | undefined {
    hold.holder = member;
    if (hold.last !== undefined && hold.last !== member) member.follow(hold.last);
    if (!member.view.has(of, key)) member.view.see(of, key, hold.row);
    return member.view.get(of, key);
  }

  #holds(): Hold[] {
    return [...this.#all.values()].flatMap((holds) => [...holds.values()]);
  }
}
