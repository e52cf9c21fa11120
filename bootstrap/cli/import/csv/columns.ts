import {
  cellFromList,
  cellFromTexts,
  listFromCell,
  textsFromCell,
} from '#adapters/product-files/composite-cells.ts';
import type { Schema } from '#adapters/wire/codec.ts';
import { InexactNumber } from '#adapters/wire/inexact-number.ts';
import { isExact } from '#adapters/wire/json.ts';

/** A column of a CSV file, for one field of a JSON object. */
export interface Column {
  /** The path joined by underscores, as in `price_amount`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'list' | 'texts by name';
  /** The value of an empty cell; undefined leaves the field out. */
  readonly empty: null | undefined | readonly [];
}

/** The columns that a schema implies, so that the fields are declared only once, in the codecs. */
export const columnsOf = (schema: Schema, path: readonly string[] = []): readonly Column[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = columnsOf(field, [...path, name]);
    if (inner.length > 0) return inner;
    const types = [field.type ?? []].flat();
    const column: Column = {
      name: [...path, name].join('_'),
      path: [...path, name],
      isRequired: path.length > 0 || (schema.required ?? []).includes(name),
      kind: kindOf(types),
      empty: types.includes('null') ? null : types.includes('array') ? [] : undefined,
    };
    return [column];
  });

const kindOf = (types: readonly string[]): Column['kind'] => {
  if (types.includes('array')) return 'list';
  if (types.includes('object')) return 'texts by name';
  return types.includes('integer') || types.includes('number') ? 'number' : 'text';
};

/** @param cells by the names of their columns; a column that is missing is left out */
export const objectFromCells = (
  columns: readonly Column[],
  cells: Readonly<Record<string, unknown>>,
): object => {
  const object: Record<string, unknown> = {};
  for (const column of columns) {
    const cell = cells[column.name];
    const value = typeof cell === 'string' ? valueFromCell(column, cell) : cell;
    if (value !== undefined) setAt(object, column.path, value);
  }
  return object;
};

const valueFromCell = ({ kind, empty }: Column, cell: string): unknown => {
  if (cell === '') return empty;
  if (kind === 'list') return listFromCell(cell);
  if (kind === 'texts by name') return textsFromCell(cell);
  // Text in a number's column stays text, which the field's codec rejects with its own message.
  if (kind !== 'number' || !/^-?\d+(\.\d+)?$/.test(cell)) return cell;
  return isExact(cell, Number(cell)) ? Number(cell) : new InexactNumber(Number(cell));
};

const setAt = (object: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown) => {
  if (rest.length === 0) {
    object[name] = value;
    return;
  }
  const inner = (object[name] ?? {}) as Record<string, unknown>;
  setAt(inner, rest, value);
  object[name] = inner;
};

/** Cells in the order of the columns. Null, missing and empty fields become empty cells. */
export const cellsFromObject = (columns: readonly Column[], object: object): string[] =>
  columns.map(({ kind, path }) => {
    let value: unknown = object;
    for (const name of path) value = (value as Readonly<Record<string, unknown>>)[name];
    if (value === null || value === undefined) return '';
    if (kind === 'list') return cellFromList(value as readonly string[]);
    return kind === 'texts by name' ? cellFromTexts(value) : String(value);
  });
