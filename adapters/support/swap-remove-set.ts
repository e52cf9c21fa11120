/** Somebody in a crowd, and what they leave it by. */
export interface Member<T> {
  readonly of: T;
  /** Where in the crowd; -1 once they have left. */
  place: number;
}

/**
 * Those who are there now, where many come and go. A Set would do, but every time that it has been filled it makes a new
 * table, to which the old one points: what was in there when that happened, be it long over, is kept until all of the
 * memory is cleaned, which has cost as much time as all else together.
 */
export class Crowd<T> {
  readonly #members: Member<T>[] = [];

  add(of: T): Member<T> {
    const member = { of, place: this.#members.length };
    this.#members.push(member);
    return member;
  }

  /** Whoever came last takes the place. */
  remove(member: Member<T>): void {
    if (member.place < 0) return;
    const last = this.#members.pop();
    if (last !== undefined && last !== member) {
      this.#members[member.place] = last;
      last.place = member.place;
    }
    member.place = -1;
  }

  get size(): number {
    return this.#members.length;
  }

  /** All who are there now; they may leave meanwhile. */
  get all(): readonly T[] {
    return this.#members.map(({ of }) => of);
  }
}
