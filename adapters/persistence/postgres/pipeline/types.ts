import type { CustomTypesConfig } from 'pg';
import type { Value } from '../../schema/entities/table.ts';

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

const decoders: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [oid.bool, (text) => (text === 't' ? 1 : 0)],
  [oid.int8, Number],
  [oid.int2, Number],
  [oid.int4, Number],
  [oid.timestamptz, decodeInstant],
]);

const keepText = (text: string): string => text;

/** Rows hold numbers, texts and nulls only, as they do on SQLite. */
export const types: CustomTypesConfig = {
  getTypeParser: (type: number) => decoders.get(type) ?? keepText,
};

/** Encodes a value in PostgreSQL's text format. */
export const encodeValue = (value: Value): string | null => (value === null ? null : String(value));

/**
 * Encodes texts as an array literal, without duplicates.
 * https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO
 */
export const encodeTextArray = (texts: readonly string[]): string =>
  `{${[...new Set(texts)].map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
