import type { Writable } from 'node:stream';

/** Writes, and resolves when the reader has room for more, or is gone. */
export const written = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
