import { delimiterOf } from './delimiter.ts';
import { columnOf } from './guess-columns.ts';

/** How many records are parsed before other work may be done. */
const blockSize = 250;

/** How many lines a record may have. One with more lacks a closing quotation mark. */
const maxLines = 500;

const reason = 'has a quotation mark too many or too few; write "" for one that is part of a text';

/** A row of a file, and the number of its first line, counted from 1. */
interface FileRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface RejectedRow {
  readonly line: number;
  /** Undefined where it cannot be read. */
  readonly sku?: string | undefined;
  readonly reason: string;
}

/** The rows of a file, and the lines that are none. */
export interface FileRows {
  readonly header: readonly string[];
  readonly rows: readonly FileRow[];
  readonly rejected: readonly RejectedRow[];
}

interface Dependencies {
  /** Parses one record that has quotation marks. @returns undefined where it is not valid */
  readonly parse: (record: string, options: ParseOptions) => readonly string[] | undefined;
  /** Lets other work be done between two blocks. */
  readonly pause: () => Promise<void>;
}

interface ParseOptions {
  readonly delimiter: string;
  /** Whether a quotation mark inside of a cell is text. Google Sheets quotes nothing in a file with tabs: Rack 19" is a whole cell. */
  readonly relaxQuotes: boolean;
}

/**
 * Reads the rows of a CSV file that is wholly in memory. A line whose quotation marks are wrong is rejected alone, and the next line
 * is read as a new row, because a person sees all rows before they are sent.
 * @throws Error for a file without rows
 */
export const readRecords = async (text: string, { parse, pause }: Dependencies): Promise<FileRows> => {
  // One kind of line end, so that lines are counted as an editor counts them.
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\u001a', '').trimEnd().split('\n');
  const first = Math.max(
    0,
    lines.findIndex((line) => line.trim() !== ''),
  );
  const { delimiter, isDeclared } = delimiterOf(lines[first] ?? '', isExpected);
  const options = { delimiter, relaxQuotes: delimiter === '\t' };
  const cellsOf = (record: string) =>
    record.includes('"') ? parse(record, options) : record.split(delimiter);
  const rows: FileRow[] = [];
  const rejected: RejectedRow[] = [];
  for (let at = isDeclared ? first + 1 : first, read = 0; at < lines.length; read += 1) {
    if (read % blockSize === blockSize - 1) await pause();
    const end = endOfRecord(lines, at, delimiter);
    const cells = end && cellsOf(lines.slice(at, end).join('\n'));
    if (!cells && rows.length === 0)
      throw new Error(`Line ${at + 1} of the file names the columns, and ${reason}.`);
    if (!cells) rejected.push({ line: at + 1, reason });
    else if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: at + 1, cells });
    at = cells ? (end ?? at) : at + 1;
  }
  const [header, ...others] = rows;
  if (header === undefined || others.length + rejected.length === 0)
    throw new Error(
      'The file has no rows. Its first line must name the columns, and the others are products.',
    );
  return { header: header.cells, rows: others, rejected };
};

const isExpected = (header: string): boolean => columnOf(header) !== undefined;

/** @returns the line behind a record; undefined when the end of a quoted cell cannot be determined */
const endOfRecord = (lines: readonly string[], begin: number, delimiter: string): number | undefined => {
  let isOpen = false;
  for (let at = begin; at < lines.length && at < begin + maxLines; at += 1) {
    const state = quoteStateAfter(lines[at] ?? '', delimiter, isOpen);
    if (state === 'broken') return undefined;
    if (state === 'closed') return at + 1;
    isOpen = true;
  }
  return undefined;
};

/**
 * A quotation mark opens a cell at its beginning, also behind blanks; in the middle of a cell it has no effect. A closing one is
 * followed by a delimiter or the end of the line.
 * @param isOpen whether a quoted cell continues from the line before
 */
const quoteStateAfter = (line: string, delimiter: string, isOpen: boolean): 'open' | 'closed' | 'broken' => {
  let isInside = isOpen;
  let from = 0;
  for (let index = line.indexOf('"'); index !== -1; index = line.indexOf('"', from)) {
    from = index + 1;
    if (!isInside) isInside = beginsCell(line, delimiter, index);
    else if (line[from] === '"') from += 1;
    else if (from === line.length || line[from] === delimiter) isInside = false;
    else return 'broken';
  }
  return isInside ? 'open' : 'closed';
};

const beginsCell = (line: string, delimiter: string, index: number): boolean => {
  let before = index - 1;
  while (line[before] !== delimiter && (line[before] === ' ' || line[before] === '\t')) before -= 1;
  return before < 0 || line[before] === delimiter;
};
