/** A character takes three bytes at the most: what needs four is two of them. */
const bytesACharacter = 3;

const least = 16 * 1024;

/** More room than that is not kept for later: there has been too much once, which is no rule. */
const most = 1024 * 1024;

/**
 * Lines that wait to be written, as the bytes that they will be. A text that grows line by line would be a tree of many
 * small parts, all of which have to be kept and looked after until it is written.
 */
export class WaitingLines {
  #bytes: Buffer;
  #length = 0;
  /** What was taken last, while somebody is at it, and what they have done with. */
  #taken: Buffer | undefined;
  #spare: Buffer | undefined;

  /** @param room for how many bytes there is room at first */
  constructor(room = least) {
    this.#bytes = Buffer.allocUnsafeSlow(room);
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  add(line: string): void {
    const needed = this.#length + line.length * bytesACharacter;
    if (needed > this.#bytes.length) this.#makeRoom(needed);
    this.#length += this.#bytes.write(line, this.#length);
  }

  /** All of them, which wait no longer. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#taken = this.#bytes;
    // As many as there were will come again.
    this.#bytes = this.#spare ?? Buffer.allocUnsafeSlow(Math.max(this.#length, least));
    this.#spare = undefined;
    this.#length = 0;
    return taken;
  }

  /**
   * Nobody needs any more what was taken last, and lines may wait in its place: memory that is given up is free only when
   * all of it is cleaned, and by then it has become a lot.
   */
  giveBack(): void {
    if (this.#taken !== undefined && this.#taken.length <= most) this.#spare = this.#taken;
    this.#taken = undefined;
  }

  #makeRoom(needed: number): void {
    const roomy = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(roomy, 0, 0, this.#length);
    this.#bytes = roomy;
  }
}
