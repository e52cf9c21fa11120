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
