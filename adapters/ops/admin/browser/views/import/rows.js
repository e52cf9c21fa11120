import { fieldOf } from './columns.js';
import { yieldToBrowser } from './yield-to-browser.ts';

/** How many lines are parsed before the browser may do other work, and how many a record may have. */
const blockSize = 500;

const reason = 'has a quotation mark too many or too few; write "" for one that is part of a text';

/**
 * Parses the rows of a file. A line whose quotation marks have no end is rejected, and the next line is read as a new row.
 * @returns `header`, `rows` (`line` and `cells`), and `rejected` (`line` and `reason`)
 * @throws Error for a file without rows
 */
export const parseRows = async (text) => {
  const { CsvError, parse } = await import('../../../csv-parse/sync.js');
  // One kind of line end, so that lines are counted as an editor counts them.
  const whole = text.replaceAll(/\r\n?/g, '\n').replaceAll('\u001a', '').trimEnd();
  const [, declared] = /^\s*"?sep=([^\w"\s]|\t)"?[,;\t|]*\n/i.exec(whole) ?? [];
  const lines = whole.split('\n');
  const first = declared === undefined ? 0 : lines.findIndex((line) => /sep=/i.test(line)) + 1;
  const delimiter = declared ?? detectDelimiter(lines.find((line) => line.trim() !== '') ?? '');
  const options = {
    ...{ delimiter, info: true, raw: true, relax_column_count: true },
    ...{ skip_empty_lines: true, record_delimiter: '\n' },
    // Google Sheets quotes nothing in a file with tabs: Rack 19" is a whole cell.
    relax_quotes: delimiter === '\t',
  };

  /** @returns undefined when a quotation mark is wrong */
  const parseBlock = (begin, end) => {
    try {
      return parse(lines.slice(begin, end).join('\n'), options)
        .filter(({ record }) => record.some((cell) => cell.trim() !== ''))
        .map(({ record, info, raw }) => ({
          line: begin + 1 + info.lines - raw.replaceAll(/^\n+|\n+$/g, '').split('\n').length,
          cells: record,
        }));
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      return undefined;
    }
  };

  const found = [];
  const rejected = [];
  let singlyUntil = 0;
  for (let begin = first; begin < lines.length; ) {
    const next = endOfRecord(lines, begin) ?? begin + 1;
    // A mark inside a cell, where that is allowed, opens nothing: its line is whole.
    const ends = options.relax_quotes && next > begin + 1 ? [begin + 1, next] : [next];
    const block = endOfBlock(lines, next, begin + blockSize);
    const end = begin < singlyUntil ? ends.find((one) => parseBlock(begin, one)) : block;
    const parsed = end && parseBlock(begin, end);
    if (parsed) {
      for (const row of parsed) found.push(row);
      begin = end;
    } else if (begin >= singlyUntil) {
      singlyUntil = block;
    } else {
      if (found.length === 0)
        throw new Error(`Line ${begin + 1} of the file names the columns, and ${reason}.`);
      rejected.push({ line: begin + 1, reason });
      begin += 1;
    }
    await yieldToBrowser();
  }
  const [header, ...rows] = found;
  if (header === undefined || rows.length + rejected.length === 0)
    throw new Error(
      'The file has no rows. Its first line must name the columns, and the others are products.',
    );
  return { header: header.cells, rows, rejected };
};

/**
 * The line behind a record: a record ends with the line at which all its quotation marks are closed.
 * @returns undefined for one that is too long to be meant
 */
const endOfRecord = (lines, begin) => {
  let isOpen = false;
  for (let at = begin; at < lines.length && at < begin + blockSize; at += 1) {
    if (lines[at].split('"').length % 2 === 0) isOpen = !isOpen;
    if (!isOpen) return at + 1;
  }
  return undefined;
};

/** The line behind as many whole records as there are up to a line. */
const endOfBlock = (lines, begin, upTo) => {
  let end = begin;
  while (end < upTo && end < lines.length) {
    const next = endOfRecord(lines, end);
    if (next === undefined) return end;
    end = next;
  }
  return end;
};

/** The delimiter that yields the most known names, then the most names. */
const detectDelimiter = (header) => {
  const rated = [',', ';', '\t', '|'].map((delimiter) => {
    const names = header.split(delimiter).map((name) => name.replaceAll('"', ''));
    return {
      delimiter,
      known: names.filter((name) => fieldOf(name) !== undefined).length,
      all: names.length,
    };
  });
  return rated.reduce((best, one) =>
    one.known > best.known || (one.known === best.known && one.all > best.all) ? one : best,
  ).delimiter;
};
