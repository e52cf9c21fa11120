import type { Value } from '../../schema/entities/table.ts';
import type { TableShape } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';

/** A pending write of one row. */
export type Change =
  | { readonly kind: 'insert'; readonly row: Row }
  /** @property seen the expected version, which the write replaces; null in a table without versions */
  | { readonly kind: 'update'; readonly row: Row; readonly seen: Value }
  | { readonly kind: 'remove' };

/** A write set: the pending writes of a transaction, merged into one for each row. */
export class Changes {
  readonly #all = new Map<TableShape, Map<string, Change>>();

  /** Merges a write into the set. @returns false, with the set unchanged, when the row's pending write rules it out */
  add(to: TableShape, key: string, change: Change): boolean {
    const rows = this.#all.get(to) ?? new Map<string, Change>();
    this.#all.set(to, rows);
    const before = rows.get(key);
    const both = before === undefined ? change : composed(before, change);
    if (both === 'impossible') return false;
    if (both === 'nothing') rows.delete(key);
    else rows.set(key, both);
    return true;
  }

  /** Merges all writes of another set. @returns false, with the set unchanged, when a pending write rules one of them out */
  addAll(others: Changes): boolean {
    const all = [...others.#all].flatMap(([to, rows]) =>
      [...rows].map(([key, change]) => ({ to, key, change })),
    );
    const canAll = all.every(({ to, key, change }) => {
      const before = this.#all.get(to)?.get(key);
      return before === undefined || composed(before, change) !== 'impossible';
    });
    if (canAll) for (const { to, key, change } of all) this.add(to, key, change);
    return canAll;
  }

  get tables(): Iterable<[TableShape, ReadonlyMap<string, Change>]> {
    return this.#all;
  }
}

const composed = (before: Change, after: Change): Change | 'nothing' | 'impossible' => {
  if (before.kind === 'remove' || after.kind === 'insert') return 'impossible';
  if (after.kind === 'remove') return before.kind === 'insert' ? 'nothing' : 'impossible';
  // The write expects a version other than the pending one.
  const { version } = before.row;
  if (after.seen !== null && after.seen !== version) return 'impossible';
  return { ...before, row: after.row };
};

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
