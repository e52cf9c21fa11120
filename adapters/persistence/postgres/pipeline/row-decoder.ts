import type { FieldDef } from 'pg';
import type { Value } from '../../schema/entities/table.ts';
import { types } from './types.ts';

export type Row = Readonly<Record<string, Value>>;

/** Makes a row of its values as the server writes them, in the order of its columns. */
export type RowReader = (texts: readonly (string | null)[]) => Row;

type Column = Pick<FieldDef, 'name' | 'dataTypeID'>;

/** As many as there are lists of columns in our own statements, whichever connection they were described on. */
const made = new Map<string, RowReader>();

export const rowReader = (columns: readonly Column[]): RowReader => {
  const form = JSON.stringify(columns.map(({ name, dataTypeID }) => [name, dataTypeID]));
  const known = made.get(form);
  if (known !== undefined) return known;
  const reader = compile(columns);
  made.set(form, reader);
  return reader;
};

/** To one object literal: to fill a row column by column takes twice as long. The names are the code's own, nobody else's. */
const compile = (columns: readonly Column[]): RowReader => {
  const parsers = columns.map(({ dataTypeID }) => types.getTypeParser(dataTypeID));
  const literal = columns.map(
    ({ name }, place) =>
      `${JSON.stringify(name)}: texts[${place}] === null ? null : parsers[${place}](texts[${place}])`,
  );
  return new Function('parsers', `return (texts) => ({ ${literal.join(', ')} });`)(parsers);
};
