import type { Value } from '../../schema/entities/table.ts';
import type { TableShape } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';

/** The row's key in the lock table, the overlay and the write set: the columns of the primary key, joined by spaces. */
export const keyOf = (values: readonly Value[]): string => values.join(' ');

/** As `keyOf`, from a row. It builds no array, because it runs for each row and most keys have one column. */
export const keyOfRow = ({ columns, keyLength }: TableShape, row: Row): string => {
  let key = '';
  for (let place = 0; place < keyLength; place += 1) {
    const part = row[columns[place] ?? ''];
    key = place === 0 ? `${part}` : `${key} ${part}`;
  }
  return key;
};

/** Splits a key into its columns. Only the last may contain spaces. */
export const partsOf = (of: TableShape, key: string): string[] => {
  const parts = key.split(' ');
  return [...parts.slice(0, of.keyLength - 1), parts.slice(of.keyLength - 1).join(' ')];
};
