import type { Value } from '../../schema/entities/table.ts';
import type { TableShape } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';

/** What a row is known by among others of its table. */
export const keyOf = (values: readonly Value[]): string => values.join(' ');

/** Joined part by part: it is asked for each row, and most keys are one part. */
export const keyOfRow = ({ columns, keyLength }: TableShape, row: Row): string => {
  let key = '';
  for (let place = 0; place < keyLength; place += 1) {
    const part = row[columns[place] ?? ''];
    key = place === 0 ? `${part}` : `${key} ${part}`;
  }
  return key;
};

/** The key's own parts, which have no blanks but in the last. */
export const partsOf = (of: TableShape, key: string): string[] => {
  const parts = key.split(' ');
  return [...parts.slice(0, of.keyLength - 1), parts.slice(of.keyLength - 1).join(' ')];
};
