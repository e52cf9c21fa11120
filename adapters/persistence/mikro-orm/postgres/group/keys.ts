import type { Kept } from '../../session.ts';
import type { Value } from '../../tables/table.ts';
import type { Row } from '../batch.ts';

/** What a row is known by among others of its table. */
export const keyOf = (values: readonly Value[]): string => values.join(' ');

export const keyOfRow = (of: Kept, row: Row): string =>
  keyOf(of.columns.slice(0, of.keyLength).map((column) => row[column] ?? null));

/** The key's own parts, which have no blanks but in the last. */
export const partsOf = (of: Kept, key: string): string[] => {
  const parts = key.split(' ');
  return [...parts.slice(0, of.keyLength - 1), parts.slice(of.keyLength - 1).join(' ')];
};
