import type { Preset } from './preset.ts';
import { type Cells, type ProductOptions, productFromCells, type ReadProduct } from './product.ts';
import { isSpreadsheetError } from './ruined-values.ts';

/** The columns of a file. */
export interface FileColumns {
  /** The name of each cell; undefined for a column that is left out, '' for one without a name. */
  readonly names: readonly (string | undefined)[];
  /** The names as the file writes them. */
  readonly headers: readonly string[];
}

interface RowOptions extends ProductOptions {
  readonly preset?: Preset | undefined;
}

/** What a row holds, by the cells of Portico's columns, or why it is no product. */
type RowContent =
  | (ReadProduct & { readonly cells: Cells })
  /** Follows `line 2:`. */
  | { readonly error: string }
  /** Follows `Skipped line 2:`. */
  | { readonly skipped: string };

export interface RowReader {
  /** Reads the next row. @returns undefined for a row of empty cells, which is none */
  readonly read: (row: readonly string[]) => RowContent | undefined;
  /** What is left out of the rows read so far, a line each. */
  readonly warnings: () => readonly string[];
  /** For an export that has several rows for a product: `PresetReader`. */
  readonly groups?: {
    readonly continues: (row: readonly string[]) => boolean;
    readonly begin: (rows: readonly (readonly string[])[]) => void;
  };
}

/** Reads the rows of one file, in their order. */
export const createRowReader = (file: FileColumns, { preset, ...options }: RowOptions): RowReader => {
  const reader = preset?.open();
  const groups = reader?.groups;
  return {
    read: (row) => {
      if (row.every((cell) => cell.trim() === '')) return undefined;
      const error = shapeError(file, row) ?? brokenCell(file, row);
      if (error !== undefined) return { error };
      const written = cellsOf(file, row);
      const read = reader?.read(written) ?? { cells: written };
      if (!('cells' in read)) return read;
      // A column with one of our own names goes before the preset's.
      const cells = { ...read.cells, ...(preset && ownCells(preset, written)) };
      return { ...productFromCells(cells, options), cells };
    },
    warnings: () => reader?.warnings() ?? [],
    ...(groups && {
      groups: {
        continues: (row) => groups.continues(cellsOf(file, row)),
        begin: (rows) => groups.begin(rows.map((row) => cellsOf(file, row))),
      },
    }),
  };
};

const cellsOf = ({ names }: FileColumns, row: readonly string[]): Cells => {
  const cells: Record<string, string> = {};
  for (const [index, name] of names.entries()) if (name) cells[name] = row[index] ?? '';
  return cells;
};

const ownCells = (preset: Preset, cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([name]) => !preset.isColumn(name)));

/** A row with too few cells has lost its end, or a delimiter in the middle: its cells may be under the wrong names. */
const shapeError = ({ names, headers }: FileColumns, row: readonly string[]): string | undefined => {
  const length = row.findLastIndex((cell) => cell.trim() !== '') + 1;
  // Columns without a name at the end of the header are none.
  const needed = names.findLastIndex((name, at) => name || headers[at]?.trim()) + 1;
  if (row.length < needed || length > names.length) {
    const columns = needed === 1 ? 'column' : 'columns';
    return `has ${row.length} ${row.length === 1 ? 'cell' : 'cells'}, but the header names ${needed} ${columns}`;
  }
  const index = names.findIndex((name, at) => name === '' && row[at]?.trim() !== '');
  return index === -1 ? undefined : `has a value in column ${index + 1}, which has no name in the header`;
};

const brokenCell = ({ names, headers }: FileColumns, row: readonly string[]): string | undefined => {
  const at = names.findIndex((name, index) => name && isSpreadsheetError(row[index] ?? ''));
  return at === -1
    ? undefined
    : `has ${row[at]?.trim()} in the column ${headers[at]?.trim() || at + 1}, where a spreadsheet could not show a value`;
};
