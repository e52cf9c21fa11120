import { decodeHuffman } from './huffman.ts';

/** What a header block holds that Node would drop without a word. */
export interface BlockCheck {
  /** Whether a name or a value has a byte that no header may have. */
  readonly isMalformed: boolean;
  /** Whether such a header is in the table of the connection now, so that later blocks can refer to it. */
  readonly isKept: boolean;
}

const sound: BlockCheck = { isMalformed: false, isKept: false };

/**
 * Checks the names and values that a header block spells out (RFC 7541 section 6). A block that cannot be decoded is not
 * malformed here: Node ends its connection.
 */
export const checkHeaderBlock = (block: Uint8Array): BlockCheck => {
  let isMalformed = false;
  let isKept = false;
  const reader = new BlockReader(block);
  while (!reader.isAtEnd) {
    const first = reader.peek();
    if (first >= 0x80) reader.integer(7);
    else if (first >= 0x20 && first < 0x40) reader.integer(5);
    else {
      const isIndexed = first >= 0x40;
      const nameIndex = reader.integer(isIndexed ? 6 : 4);
      const name = nameIndex === 0 ? reader.string() : undefined;
      const isValueByte = nameIndex === hostIndex || (name && isHost(name)) ? isHostByte : isFieldByte;
      const isValid = reader.string().every(isValueByte) && (name === undefined || isValidName(name));
      isMalformed ||= !isValid;
      isKept ||= !isValid && isIndexed;
    }
    if (reader.isBroken) return sound;
  }
  return { isMalformed, isKept };
};

/** A visible character, a space, a tab, or a byte beyond ASCII (RFC 9110 section 5.5). */
const isFieldByte = (byte: number): boolean => (byte >= 0x20 && byte !== 0x7f) || byte === 0x09;

const alphanumeric = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A token, after the colon of a pseudo-header. Node itself rejects upper case. */
const isValidName = (name: Uint8Array): boolean => {
  const token = name[0] === colon ? name.subarray(1) : name;
  return token.length > 0 && token.every((byte) => tokenBytes.has(byte));
};
const colon = 0x3a;
const tokenBytes = new Set(Buffer.from(`!#$%&'*+-.^_\`|~${alphanumeric}`));

/** `host` in the static table (RFC 7541 appendix A). */
const hostIndex = 38;
const isHost = (name: Uint8Array): boolean => name.length === 4 && Buffer.from(name).toString() === 'host';

/** A character of an authority (RFC 3986 section 3.2). Node drops a `host` with any other, and uses `:authority`. */
const isHostByte = (byte: number): boolean => hostBytes.has(byte);
const hostBytes = new Set(Buffer.from(`-._~%!$&'()*+,;=:@[]${alphanumeric}`));

/** Reads the integers and strings of HPACK one after the other. */
class BlockReader {
  readonly #bytes: Uint8Array;
  #offset = 0;
  /** Whether the block ended within an integer or a string. */
  isBroken = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  peek(): number {
    return this.#bytes[this.#offset] ?? 0;
  }

  /** @param prefixBits how many bits of the first byte belong to it (RFC 7541 section 5.1) */
  integer(prefixBits: number): number {
    const max = 2 ** prefixBits - 1;
    let value = this.#byte() & max;
    if (value < max) return value;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  string(): Uint8Array {
    const isHuffman = this.peek() >= 0x80;
    const end = this.integer(7) + this.#offset;
    if (end > this.#bytes.length) this.isBroken = true;
    const text = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return isHuffman ? decodeHuffman(text) : text;
  }

  #byte(): number {
    if (this.isAtEnd) this.isBroken = true;
    const byte = this.peek();
    this.#offset += 1;
    return byte;
  }
}
