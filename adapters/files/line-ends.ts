const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** Bounds the search for the first line end. */
const maxHeadBytes = 1024 * 1024;

/**
 * The lines of a CSV file whose rows end with a carriage return alone, as spreadsheets on a Mac write them, end with a line feed
 * instead. Any other file is passed on unchanged. The first line end outside of quotes decides.
 */
export async function* withLineFeeds(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let head: Uint8Array | undefined = new Uint8Array();
  let isMac = false;
  for await (const chunk of chunks) {
    if (head === undefined) yield isMac ? replaceReturns(chunk) : chunk;
    else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const lineEnd = firstLineEnd(head);
      if (lineEnd === undefined && head.length < maxHeadBytes) continue;
      isMac = lineEnd === 'return';
      yield isMac ? replaceReturns(head) : head;
      head = undefined;
    }
  }
  if (head !== undefined && head.length > 0) yield head;
}

/** @returns undefined when the bytes do not decide */
const firstLineEnd = (bytes: Uint8Array): 'return' | 'feed' | undefined => {
  let isQuoted = false;
  for (const [index, byte] of bytes.entries()) {
    if (byte === quote) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (byte === lineFeed) return 'feed';
    if (byte !== carriageReturn) continue;
    const next = bytes[index + 1];
    if (next === undefined) return undefined;
    return next === lineFeed ? 'feed' : 'return';
  }
  return undefined;
};

const replaceReturns = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte) => (byte === carriageReturn ? lineFeed : byte));
