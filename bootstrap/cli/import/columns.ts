import { isExact } from '#adapters/wire/json.ts';
import type { Schema } from '#adapters/wire/json-schema.ts';
import { didYouMean } from '../framework/did-you-mean.ts';
import { UsageError } from '../framework/exit-codes.ts';

/** A field of a JSON object as a column of a CSV file has it. */
export interface Column {
  /** The field's name; of a field within a field both, as in `price_amount`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly isRequired: boolean;
  readonly isNumber: boolean;
  /** What an empty cell stands for; a field that cannot be null is left out. */
  readonly empty: null | undefined;
}

/** The columns for objects of a schema: what the codecs say of the fields is said here once more by nobody. */
export const columnsOf = (schema: Schema, path: readonly string[] = []): readonly Column[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = columnsOf(field, [...path, name]);
    if (inner.length > 0) return inner;
    const types = [field.type ?? []].flat();
    const column: Column = {
      name: [...path, name].join('_'),
      path: [...path, name],
      isRequired: path.length > 0 || (schema.required ?? []).includes(name),
      isNumber: types.includes('integer') || types.includes('number'),
      empty: types.includes('null') ? null : undefined,
    };
    return [column];
  });

/** The columns in the order of a file's first row. @throws UsageError when that names others, or lacks some */
export const columnsOfHeader = (columns: readonly Column[], header: readonly string[]): readonly Column[] => {
  const names = columns.map(({ name }) => name);
  const found = header.map((name) => {
    const column = columns.find((one) => one.name === name.trim());
    if (column !== undefined) return column;
    throw new UsageError(
      `The file has a column ${JSON.stringify(name)}, which products do not have: theirs are ${names.join(', ')}.` +
        didYouMean(name, names),
    );
  });
  for (const { name, isRequired } of columns) {
    const count = found.filter((column) => column.name === name).length;
    if (count > 1) throw new UsageError(`The file has the column ${name} twice.`);
    if (count === 0 && isRequired) throw new UsageError(`The file lacks the column ${name}.`);
  }
  return found;
};

/** The object that a row of cells stands for. */
export const objectFromCells = (columns: readonly Column[], cells: readonly string[]): object => {
  const object: Record<string, unknown> = {};
  for (const [place, column] of columns.entries()) {
    const value = valueFromCell(column, cells[place] ?? '');
    if (value !== undefined) setAt(object, column.path, value);
  }
  return object;
};

const valueFromCell = ({ isNumber, empty }: Column, cell: string): unknown => {
  if (cell === '') return empty;
  // What is no number stays text, which the field refuses in its own words.
  if (!isNumber || !/^-?\d+(\.\d+)?$/.test(cell)) return cell;
  return isExact(cell, Number(cell)) ? Number(cell) : Number.NaN;
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

/** The cells for an object; null and what is left out are empty. */
export const cellsFromObject = (columns: readonly Column[], object: object): string[] =>
  columns.map(({ path }) => {
    let value: unknown = object;
    for (const name of path) value = (value as Readonly<Record<string, unknown>>)[name];
    return value === null || value === undefined ? '' : String(value);
  });
