import type { FieldDef } from 'pg';
import type { Value } from '../../schema/entities/table.ts';
import { types } from './types.ts';

export type Row = Readonly<Record<string, Value>>;

/** Decodes the values of a row, which the server sends as text in the order of the columns. */
export type RowDecoder = (texts: readonly (string | null)[]) => Row;

/**
 * Makes the decoder of a statement's rows. It generates no code, so that it runs where code generation is disallowed.
 * @param columns as the server describes them
 */
export const rowDecoder = (columns: readonly Pick<FieldDef, 'name' | 'dataTypeID'>[]): RowDecoder => {
  const decoders = columns.map(({ name, dataTypeID }) => ({ name, decode: types.getTypeParser(dataTypeID) }));
  return (texts) => {
    const row: Record<string, Value> = {};
    let index = 0;
    for (const { name, decode } of decoders) {
      const text = texts[index] ?? null;
      row[name] = text === null ? null : decode(text);
      index += 1;
    }
    return row;
  };
};
