/** Something that stands in a file, and where. */
export interface Row<T> {
  /** The number of its first line, from 1, and of its last. */
  readonly line: number;
  readonly lastLine: number;
  /** In bytes. */
  readonly size: number;
  /** What it says, or why it cannot be read. */
  readonly content: ReadResult<T>;
}

export type ReadResult<T> = { readonly value: T } | { readonly fault: string };

/** How long a row may be, in bytes: no more than the body of a request. */
export const maxRowBytes = 100 * 1024;

export const tooLong = { fault: 'is longer than 100 KiB' };

export const notUtf8 = { fault: 'is not valid UTF-8' };

/** A file of which nobody can tell what stands in it from a line on. The message is the one line that says so. */
export class MalformedFileError extends Error {
  constructor(line: number, fault: string) {
    super(`line ${line} ${fault}: nothing from there on is read, for it could be the inside of a cell.`);
    this.name = 'FileBroken';
  }
}
