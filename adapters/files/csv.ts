import { CsvError, parse } from 'csv-parse/sync';
import {
  isBlank,
  MalformedFileError,
  maxRowBytes,
  notUtf8,
  type ReadResult,
  type Row,
  splitLines,
  tooLong,
} from './rows.ts';

type Cells = readonly string[];

interface Delimiter {
  readonly delimiter: string;
  readonly isDeclared: boolean;
}

/** Bounds the memory of one line, which must be kept whole to follow its quotes. */
const maxLineBytes = 1024 * 1024;

/**
 * The rows of a CSV file (RFC 4180): cells between commas, in double quotes where needed, also over several lines. Blank
 * lines are skipped.
 *
 * The content of a quoted cell is never mistaken for rows: a row that is too long ends where its quotes do.
 * @param detect finds the delimiter, an ASCII character, by the first line, which is no row where it just declares one (`sep=;`)
 * @throws MalformedFileError where the end of a quoted cell cannot be determined
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  detect: (firstLine: string) => Delimiter = () => ({ delimiter: ',', isDeclared: false }),
): AsyncGenerator<Row<Cells>, void, undefined> {
  let delimiter: string | undefined;
  let partial: PartialRow | undefined;
  for await (const { number, bytes, isTooLong } of splitLines(chunks, maxLineBytes)) {
    if (partial === undefined && isBlank(bytes)) continue;
    if (delimiter === undefined) {
      const detected = detect(Buffer.from(bytes).toString());
      delimiter = detected.delimiter;
      if (detected.isDeclared) continue;
    }
    partial ??= { line: number, lines: [], size: 0, isOpen: false };
    if (isTooLong) throw new MalformedFileError(partial.line, 'is longer than 1 MiB without a line end');
    const state = quoteStateAfter(bytes, delimiter.charCodeAt(0), partial.isOpen);
    if (state === 'broken') {
      throw new MalformedFileError(partial.line, 'has a quote inside a quoted cell that is not doubled');
    }
    partial.isOpen = true;
    partial.size += bytes.length + 1;
    if (partial.size - 1 > maxRowBytes) partial.lines = [];
    else partial.lines.push(bytes);
    if (state === 'open') continue;
    const content = partial.size - 1 > maxRowBytes ? tooLong : cellsOf(partial.lines, delimiter);
    yield { line: partial.line, lastLine: number, size: partial.size, content };
    partial = undefined;
  }
  if (partial !== undefined) {
    throw new MalformedFileError(partial.line, 'opens a quote that is never closed');
  }
}

/** A row that continues in the next line, inside a quoted cell. */
interface PartialRow {
  readonly line: number;
  /** Empty once the row is too long. */
  lines: Uint8Array[];
  size: number;
  isOpen: boolean;
}

const quote = 0x22;
const carriageReturn = 0x0d;
const [space, tab] = [0x20, 0x09];

/** `open`: a quoted cell continues in the next line. `broken`: the end of a quoted cell cannot be determined. */
type QuoteState = 'open' | 'closed' | 'broken';

/**
 * A quote opens a cell at its beginning, also behind blanks; in the middle of a cell it has no effect. A closing quote is
 * followed by a delimiter or the end of the line.
 * @param isOpen whether a quoted cell continues from the line before
 */
const quoteStateAfter = (bytes: Uint8Array, delimiter: number, isOpen: boolean): QuoteState => {
  let isInside = isOpen;
  let from = 0;
  for (let index = bytes.indexOf(quote); index !== -1; index = bytes.indexOf(quote, from)) {
    from = index + 1;
    if (!isInside) isInside = beginsCell(bytes, delimiter, index);
    else if (bytes[from] === quote) from += 1;
    else if (endsCell(bytes, delimiter, from)) isInside = false;
    else return 'broken';
  }
  return isInside ? 'open' : 'closed';
};

const beginsCell = (bytes: Uint8Array, delimiter: number, index: number): boolean => {
  let before = index - 1;
  while (bytes[before] !== delimiter && (bytes[before] === space || bytes[before] === tab)) before -= 1;
  return before < 0 || bytes[before] === delimiter;
};

const endsCell = (bytes: Uint8Array, delimiter: number, index: number): boolean => {
  if (bytes[index] === carriageReturn) return index === bytes.length - 1;
  return index === bytes.length || bytes[index] === delimiter;
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const cellsOf = (lines: readonly Uint8Array[], delimiter: string): ReadResult<Cells> => {
  let text: string;
  try {
    text = lines.map((bytes) => utf8.decode(bytes)).join('\n');
  } catch {
    return notUtf8;
  }
  if (text.endsWith('\r')) text = text.slice(0, -1);
  // Without quotes every delimiter separates cells, so the parser is not needed.
  return text.includes('"') ? parseQuoted(text, delimiter) : { value: text.split(delimiter) };
};

const parseQuoted = (text: string, delimiter: string): ReadResult<Cells> => {
  const options = {
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: 0,
    // Google Sheets quotes nothing in a file with tabs: Rack 19" is a whole cell.
    relax_quotes: delimiter === '\t',
  };
  try {
    const [cells, ...others] = parse(text, options);
    return cells === undefined || others.length > 0 ? invalidCsv : { value: cells };
  } catch (error) {
    if (error instanceof CsvError) {
      return error.code === 'INVALID_OPENING_QUOTE' ? quoteInUnquotedCell : invalidCsv;
    }
    throw error;
  }
};

const invalidCsv = { error: 'is not valid CSV' };
const quoteInUnquotedCell = {
  error: 'has a quote inside an unquoted cell; put the cell in quotes and double the quotes in it',
};

/** One row of a CSV file, with its line end. */
export const csvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
