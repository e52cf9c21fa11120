import type { FieldDef } from 'pg';
import type { Row, Value } from '../../schema/entities/table.ts';

/** Decodes the values of a row, which the server sends as text in the order of the columns. */
export type RowDecoder = (texts: readonly (string | null)[]) => Row;

/**
 * Makes the decoder of a statement's rows. It generates no code, so that it runs where code generation is disallowed.
 * @param columns as the server describes them
 */
export const rowDecoder = (columns: readonly Pick<FieldDef, 'name' | 'dataTypeID'>[]): RowDecoder => {
  const decodersOfColumns = columns.map(({ name, dataTypeID }) => ({
    name,
    decode: decoders.get(dataTypeID) ?? keepText,
  }));
  return (texts) => {
    const row: Record<string, Value> = {};
    let index = 0;
    for (const { name, decode } of decodersOfColumns) {
      const text = texts[index] ?? null;
      row[name] = text === null ? null : decode(text);
      index += 1;
    }
    return row;
  };
};

/** The object ids of PostgreSQL's types that Portico decodes. */
const oid = { bool: 16, int8: 20, int2: 21, int4: 23, timestamptz: 1184 };

/** Decodes `2026-03-01 12:00:00.12+00` as the instant `2026-03-01T12:00:00.120Z`. The session's time zone is UTC. */
const decodeInstant = (text: string): string => {
  if (!text.endsWith('+00')) return decodeWithOffset(text);
  const milliseconds = text[19] === '.' ? text.slice(20, text.indexOf('+', 20)) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds.padEnd(3, '0')}Z`;
};

/** A pooler may hand out a connection whose session was never set up. */
const decodeWithOffset = (text: string): string =>
  new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();

const decoders: ReadonlyMap<number, (text: string) => Value> = new Map<number, (text: string) => Value>([
  [oid.bool, (text) => (text === 't' ? 1 : 0)],
  [oid.int8, Number],
  [oid.int2, Number],
  [oid.int4, Number],
  [oid.timestamptz, decodeInstant],
]);

const keepText = (text: string): string => text;
