import type { Value } from '../../schema/entities/table.ts';
import type { TableShape } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';

/** What becomes of a row. */
export type Change =
  | { readonly kind: 'insert'; readonly row: Row }
  /** @property seen the version that is replaced; null where there are none */
  | { readonly kind: 'update'; readonly row: Row; readonly seen: Value }
  | { readonly kind: 'remove' };

/** What becomes of rows when all is done, by their keys: what came in between leaves no trace. */
export class Changes {
  readonly #all = new Map<TableShape, Map<string, Change>>();

  /** @returns whether it can follow what is there; otherwise nothing is changed */
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

  /** As `add` does with each of the other's. @returns whether all of them can follow; otherwise nothing is changed */
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
  // Of a version nobody has seen.
  const { version } = before.row;
  if (after.seen !== null && after.seen !== version) return 'impossible';
  return { ...before, row: after.row };
};
