import { isBlank, maxRowBytes, type ReadResult, type Row, splitLines, tooLong } from './rows.ts';

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
