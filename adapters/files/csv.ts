import { CsvError, parse } from 'csv-parse/sync';
import { isBlank, type Line, linesOf } from './lines.ts';
import { longestRow, notUtf8, type Readable, type Row, tooLong } from './row.ts';

type Cells = readonly string[];

const quote = 0x22;
const notClosed = { fault: 'opens a quote that is not closed' };

/**
 * The rows of a CSV file (RFC 4180): commas, and double quotes around what needs them, also over several lines. Empty
 * lines are no rows.
 *
 * A quote too many would make one cell of all that follows. So where a row cannot be read, only its first line is taken
 * to be wrong, and what stands behind that is read again by itself.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Row<Cells>, void, undefined> {
  const rows = new Rows();
  for await (const line of linesOf(chunks, longestRow)) yield* rows.readOn([line]);
  yield* rows.end();
}

/** Makes rows of lines. */
class Rows {
  /** The lines of a row that has not ended yet, and how many bytes they are. */
  #begun: Line[] = [];
  #size = 0;

  *readOn(lines: readonly Line[]): Generator<Row<Cells>, void, undefined> {
    const ahead = lines.toReversed();
    for (let line = ahead.pop(); line !== undefined; line = ahead.pop()) {
      if (this.#begun.length === 0 && isBlank(line.bytes)) continue;
      const isOpen = this.#begun.length > 0;
      this.#begun.push(line);
      this.#size += line.bytes.length + 1;
      const isTooLong = line.isTooLong || this.#size > longestRow;
      if (!isTooLong && hasOddQuotes(line.bytes) !== isOpen) continue;
      const content = isTooLong ? (isOpen ? notClosed : tooLong) : cellsOf(this.#begun);
      const { row, behind } = this.#take(content);
      yield row;
      ahead.push(...behind.toReversed());
    }
  }

  *end(): Generator<Row<Cells>, void, undefined> {
    while (this.#begun.length > 0) {
      const { row, behind } = this.#take(notClosed);
      yield row;
      yield* this.readOn(behind);
    }
  }

  #take(content: Broken | Readable<Cells>): { readonly row: Row<Cells>; readonly behind: readonly Line[] } {
    const lines = this.#begun;
    const isWhole = 'value' in content || content === notUtf8;
    const behind = isWhole ? [] : lines.slice(1);
    const [line = 0, lastLine = 0] = [lines[0]?.number, (isWhole ? lines.at(-1) : lines[0])?.number];
    const row = { line, lastLine, size: this.#size, content };
    this.#begun = [];
    this.#size = 0;
    return { row, behind };
  }
}

type Broken = { readonly fault: string };

/** Whether a quote that is open before the line is closed behind it, or the other way round. */
const hasOddQuotes = (bytes: Uint8Array): boolean => {
  let isOdd = false;
  for (let place = bytes.indexOf(quote); place !== -1; place = bytes.indexOf(quote, place + 1)) {
    isOdd = !isOdd;
  }
  return isOdd;
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const cellsOf = (lines: readonly Line[]): Readable<Cells> => {
  let text: string;
  try {
    text = lines.map(({ bytes }) => utf8.decode(bytes)).join('\n');
  } catch {
    return notUtf8;
  }
  if (text.endsWith('\r')) text = text.slice(0, -1);
  // Where nothing is quoted, a comma is a comma.
  return text.includes('"') ? parsed(text) : { value: text.split(',') };
};

const parsed = (text: string): Readable<Cells> => {
  try {
    const [cells, ...others] = parse(text, { record_delimiter: ['\r\n', '\n'], max_record_size: 0 });
    return cells === undefined || others.length > 0 ? notClosed : { value: cells };
  } catch (error) {
    if (error instanceof CsvError) return { fault: faults[error.code] ?? 'is not valid CSV' };
    throw error;
  }
};

const faults: Readonly<Partial<Record<string, string>>> = {
  CSV_INVALID_CLOSING_QUOTE: 'has something behind the quote that closes a cell',
  INVALID_OPENING_QUOTE:
    'has a quote in the middle of a cell; a cell with quotes stands in quotes, and doubles them',
  CSV_QUOTE_NOT_CLOSED: notClosed.fault,
};

/** One row as a CSV file has it, with its line end. */
export const csvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
