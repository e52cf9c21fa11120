/** One row of a file. */
export interface Row<T> {
  /** The number of its first line, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** In bytes. */
  readonly size: number;
  readonly content: ReadResult<T>;
}

/** The content, or the reason for which it cannot be read, which follows `line N` in the report. */
export type ReadResult<T> = { readonly value: T } | { readonly error: string };

/** As long as the largest body of a request. */
export const maxRowBytes = 100 * 1024;

export const tooLong = { error: 'is longer than 100 KiB' };

export const notUtf8 = { error: 'is not valid UTF-8' };

/** A file that cannot be split into rows from a line on. */
export class MalformedFileError extends Error {
  constructor(line: number, reason: string) {
    super(
      `line ${line} ${reason}. Nothing from there on was read, as it could be the inside of a cell. Fix the line and try again.`,
    );
    this.name = 'MalformedFileError';
  }
}

/** A line of a file, without the line feed that ends it. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Truncated when it is too long. */
  readonly bytes: Uint8Array;
  readonly isTooLong: boolean;
}

/** UTF-8 byte order mark, which some spreadsheets write at the beginning of a file. */
const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

const lineFeed = 0x0a;

/** Ctrl-Z, which programs of DOS write at the end of a text. */
const endOfText = 0x1a;

/**
 * Splits a stream of bytes into lines. The part of a line beyond the limit is skipped, so memory stays bounded. A Ctrl-Z at the
 * end of the file is not part of the last line.
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
      bytes: number === 1 ? withoutByteOrderMark(bytes) : bytes,
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
  if (length > 0) {
    const last = flush();
    yield { ...last, bytes: withoutEndOfText(last.bytes) };
  }
}

const withoutEndOfText = (bytes: Uint8Array): Uint8Array => {
  let { length } = bytes;
  while (length > 0 && bytes[length - 1] === endOfText) length -= 1;
  return bytes.subarray(0, length);
};

const withoutByteOrderMark = (bytes: Uint8Array): Uint8Array =>
  byteOrderMark.every((byte, index) => bytes[index] === byte) ? bytes.subarray(byteOrderMark.length) : bytes;

const blanks = new Set([...[...' \t\r'].map((character) => character.charCodeAt(0)), endOfText]);

export const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => blanks.has(byte));

/**
 * The rows of a file with one JSON text per line. Blank lines are skipped.
 * @param parse parses one line
 */
export async function* readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  parse: (bytes: Uint8Array) => ReadResult<unknown>,
): AsyncGenerator<Row<unknown>, void, undefined> {
  for await (const { number, bytes, isTooLong } of splitLines(chunks, maxRowBytes)) {
    if (isBlank(bytes)) continue;
    const content = isTooLong ? tooLong : parse(bytes);
    yield { line: number, lastLine: number, size: bytes.length, content };
  }
}
