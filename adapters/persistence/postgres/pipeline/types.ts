import type { CustomTypesConfig } from 'pg';

/** The numbers by which PostgreSQL calls its types. */
const oid = { bool: 16, int8: 20, int2: 21, int4: 23, timestamptz: 1184 };

/**
 * `2026-03-01 12:00:00.12+00` is `2026-03-01T12:00:00.120Z`: the same moment, in the domain's words. It is UTC because
 * every connection is told so as it opens.
 */
const instant = (text: string): string => {
  if (!text.endsWith('+00')) return fromAbroad(text);
  const milliseconds = text[19] === '.' ? text.slice(20, text.indexOf('+', 20)) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds.padEnd(3, '0')}Z`;
};

/** A pooler may have handed us a connection that knows nothing of that. */
const fromAbroad = (text: string): string =>
  new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [oid.bool, (text) => (text === 't' ? 1 : 0)],
  [oid.int8, Number],
  [oid.int2, Number],
  [oid.int4, Number],
  [oid.timestamptz, instant],
]);

const asItIs = (text: string): string => text;

/** Rows come as they do from SQLite: with numbers, texts and nulls only. */
export const types: CustomTypesConfig = {
  getTypeParser: (type: number) => parsers.get(type) ?? asItIs,
};
