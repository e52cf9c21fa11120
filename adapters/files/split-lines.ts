/** A line of a file, as bytes, without the line feed that ends it. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Only the beginning when it is too long. */
  readonly bytes: Uint8Array;
  readonly isTooLong: boolean;
}

/** What marks UTF-8 at the beginning of a file, for those who need it marked. */
const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

const lineFeed = 0x0a;

/**
 * The lines of what comes in, one after the other. What is longer than the limit is read past, and never kept whole.
 * @param limit in bytes
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Line, void, undefined> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;

  const append = (part: Uint8Array): void => {
    if (part.length > 0 && length <= limit) parts.push(part);
    length += part.length;
  };
  const flush = (): Line => {
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    const line = {
      number,
      bytes: number === 1 ? withoutMark(bytes) : bytes,
      isTooLong: length > limit,
    };
    number += 1;
    parts = [];
    length = 0;
    return line;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      append(chunk.subarray(start, end));
      start = end + 1;
      yield flush();
    }
    append(chunk.subarray(start));
  }
  if (length > 0) yield flush();
}

const withoutMark = (bytes: Uint8Array): Uint8Array =>
  byteOrderMark.every((byte, place) => bytes[place] === byte) ? bytes.subarray(byteOrderMark.length) : bytes;

const blanks = new Set([...' \t\r'].map((character) => character.charCodeAt(0)));

export const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => blanks.has(byte));
