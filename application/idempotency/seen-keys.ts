import type { Attempt } from '../ports/idempotency.ts';

/** So many keys are known at the most. Where two share a place, the one that came last has it. */
const places = 2 ** 16;

/**
 * Which keys have come to this process lately. It may be mistaken: it does not know what has come to another one, and takes
 * one new key of 65,000 for one that has come.
 */
export class SeenKeys {
  // Numbers, and not a Set: what comes and goes by the million is better not left behind.
  readonly #marks = new Uint32Array(places);

  /** The key has come. @returns whether it had come before, as far as is known */
  note({ userId, key }: Pick<Attempt, 'userId' | 'key'>): boolean {
    const mark = markOf(userId, key);
    const place = mark % places;
    const hasCome = this.#marks[place] === mark;
    this.#marks[place] = mark;
    return hasCome;
  }
}

/** A number for some texts, by FNV-1a; never 0, which stands where nothing has come. */
const markOf = (...texts: readonly string[]): number => {
  let mark = 0x81_1c_9d_c5;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += 1) mark = Math.imul(mark ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  return mark >>> 0 || 1;
};
