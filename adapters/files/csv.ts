import { CsvError, parse } from 'csv-parse/sync';
import { quoteStateAfter } from './csv-quotes.ts';
import {
  MalformedFileError,
  maxRowBytes,
  notUtf8,
  type ReadResult,
  type Row,
  tooLong,
} from './parsed-row.ts';
import { isBlank, splitLines } from './split-lines.ts';

type Cells = readonly string[];

/** How long a line may be, in bytes, so that one can tell where its quotes lead. */
const maxLineBytes = 1024 * 1024;

const isBroken = 'has a quote within a quoted cell that is not doubled';
const notClosed = 'opens a quote that is not closed';

/**
 * The rows of a CSV file (RFC 4180): commas, and double quotes around what needs them, also over several lines. Empty
 * lines are no rows.
 *
 * What stands within quotes is never taken for rows: a row that is too long ends where its quotes do.
 * @throws FileBroken where nobody can tell where a quoted cell ends
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Row<Cells>, void, undefined> {
  let begun: PartialRow | undefined;
  for await (const { number, bytes, isTooLong } of splitLines(chunks, maxLineBytes)) {
    if (begun === undefined && isBlank(bytes)) continue;
    begun ??= { line: number, lines: [], size: 0, isOpen: false };
    if (isTooLong)
      throw new MalformedFileError(begun.line, 'is longer than 1 MiB, without the end of a line');
    const state = quoteStateAfter(bytes, begun.isOpen);
    if (state === 'broken') throw new MalformedFileError(begun.line, isBroken);
    begun.isOpen = true;
    begun.size += bytes.length + 1;
    if (begun.size - 1 > maxRowBytes) begun.lines = [];
    else begun.lines.push(bytes);
    if (state === 'open') continue;
    const content = begun.size - 1 > maxRowBytes ? tooLong : cellsOf(begun.lines);
    yield { line: begun.line, lastLine: number, size: begun.size, content };
    begun = undefined;
  }
  if (begun !== undefined) throw new MalformedFileError(begun.line, notClosed);
}

/** A row whose last quote is still open. Of one that is too long the lines are not kept. */
interface PartialRow {
  readonly line: number;
  lines: Uint8Array[];
  size: number;
  isOpen: boolean;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const cellsOf = (lines: readonly Uint8Array[]): ReadResult<Cells> => {
  let text: string;
  try {
    text = lines.map((bytes) => utf8.decode(bytes)).join('\n');
  } catch {
    return notUtf8;
  }
  if (text.endsWith('\r')) text = text.slice(0, -1);
  // Where nothing is quoted, a comma is a comma.
  return text.includes('"') ? parseQuoted(text) : { value: text.split(',') };
};

const parseQuoted = (text: string): ReadResult<Cells> => {
  try {
    const [cells, ...others] = parse(text, { record_delimiter: ['\r\n', '\n'], max_record_size: 0 });
    return cells === undefined || others.length > 0 ? invalid : { value: cells };
  } catch (error) {
    if (error instanceof CsvError) return error.code === 'INVALID_OPENING_QUOTE' ? quoteWithin : invalid;
    throw error;
  }
};

const invalid = { fault: 'is not valid CSV' };
const quoteWithin = {
  fault: 'has a quote in the middle of a cell; a cell with quotes stands in quotes, and doubles them',
};

/** One row as a CSV file has it, with its line end. */
export const csvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
