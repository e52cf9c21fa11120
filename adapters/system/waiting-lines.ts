/** A character takes three bytes at the most: what needs four is two of them. */
const bytesACharacter = 3;

const least = 16 * 1024;

/**
 * Lines that wait to be written, as the bytes that they will be. A text that grows line by line would be a tree of many
 * small parts, all of which have to be kept and looked after until it is written.
 */
export class WaitingLines {
  #bytes: Buffer;
  #length = 0;

  /** @param room for how many bytes there is room at first */
  constructor(room = least) {
    this.#bytes = Buffer.allocUnsafeSlow(room);
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  add(line: string): void {
    const most = this.#length + line.length * bytesACharacter;
    if (most > this.#bytes.length) this.#makeRoom(most);
    this.#length += this.#bytes.write(line, this.#length);
  }

  /** All of them, which wait no longer. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    // As many as there were will come again.
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(this.#length, least));
    this.#length = 0;
    return taken;
  }

  #makeRoom(least: number): void {
    const roomy = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.#bytes.length));
    this.#bytes.copy(roomy, 0, 0, this.#length);
    this.#bytes = roomy;
  }
}
