import type { Kept } from '../../session.ts';
import type { Row } from '../batch.ts';

/** The database as somebody sees it who has changed something that is not there yet. */
export class View {
  readonly #rows = new Map<Kept, Map<string, Row | undefined>>();
  readonly #changed = new Set<Kept>();

  has(of: Kept, key: string): boolean {
    return this.#rows.get(of)?.has(key) ?? false;
  }

  get(of: Kept, key: string): Row | undefined {
    return this.#rows.get(of)?.get(key);
  }

  /** @param row undefined when there is none */
  see(of: Kept, key: string, row: Row | undefined): void {
    const rows = this.#rows.get(of) ?? new Map<string, Row | undefined>();
    this.#rows.set(of, rows);
    rows.set(key, row);
  }

  change(of: Kept, key: string, row: Row | undefined): void {
    this.see(of, key, row);
    this.#changed.add(of);
  }

  /** Whether the table is not what the database has. */
  hasChanged(of: Kept): boolean {
    return this.#changed.has(of);
  }

  /** Sees what somebody before has seen and changed, unless it has been seen later. */
  inherit(before: View): void {
    for (const [of, rows] of before.#rows) {
      for (const [key, row] of rows) if (!this.has(of, key)) this.see(of, key, row);
    }
    for (const of of before.#changed) this.#changed.add(of);
  }
}
