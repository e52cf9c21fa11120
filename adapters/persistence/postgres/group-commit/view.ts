import type { TableShape } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';

interface Sight {
  /** Undefined when there is no such row. */
  readonly row: Row | undefined;
  /** A counter that orders all reads and writes of the group. */
  readonly at: number;
}

let sights = 0;

/** Uncommitted overlay: a unit of work reads its own pending writes, and those of the members whose locks it took over. */
export class View {
  readonly #rows = new Map<TableShape, Map<string, Sight>>();
  readonly #changed = new Set<TableShape>();

  has(of: TableShape, key: string): boolean {
    return this.#rows.get(of)?.has(key) ?? false;
  }

  get(of: TableShape, key: string): Row | undefined {
    return this.#rows.get(of)?.get(key)?.row;
  }

  /** @param row undefined when there is no such row */
  see(of: TableShape, key: string, row: Row | undefined): void {
    sights += 1;
    this.#rowsOf(of).set(key, { row, at: sights });
  }

  change(of: TableShape, key: string, row: Row | undefined): void {
    this.see(of, key, row);
    this.#changed.add(of);
  }

  /** Whether the table has pending writes, so that a list from the database would be wrong. */
  hasChanged(of: TableShape): boolean {
    return this.#changed.has(of);
  }

  /** Adds what another member has read and written, unless this one knows a later state. */
  inherit(before: View): void {
    for (const [of, rows] of before.#rows) {
      const own = this.#rowsOf(of);
      for (const [key, sight] of rows) if ((own.get(key)?.at ?? 0) < sight.at) own.set(key, sight);
    }
    for (const of of before.#changed) this.#changed.add(of);
  }

  #rowsOf(of: TableShape): Map<string, Sight> {
    const rows = this.#rows.get(of) ?? new Map<string, Sight>();
    this.#rows.set(of, rows);
    return rows;
  }
}
