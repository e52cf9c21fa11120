import type { RawBuilder } from 'kysely';

/** The products of a term behind the position, in the order of their ids and each once, as SQL. */
export interface Stream {
  /** The next so many. */
  readonly next: (size: number) => RawBuilder<unknown>;
  /** The last of the next so many alone. Nothing where there are fewer. */
  readonly lastOfNext: (size: number) => RawBuilder<unknown>;
  /** All up to an id, in no order. */
  readonly upTo: (last: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** The order of a page, as SQL. */
export interface Direction {
  readonly isDescending: boolean;
  /** Compares an id with the position. */
  readonly isBehind: RawBuilder<unknown>;
  /** Compares an id with an end. */
  readonly isUpTo: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
}

/** What the statement of a window is made of. */
interface Window {
  readonly streams: readonly Stream[];
  /** How many rows of each stream belong to the window. */
  readonly size: number;
  readonly direction: Direction;
  /** Selects the products of a table of ids, which is called `hits`, up to the parameter `limit`. */
  readonly found: (hits: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/**
 * Compiles a window to SQL: rows with the columns of the products found, and with the last id of each stream in the window, which
 * is null where the stream has fewer rows. There is one row without a product where nothing was found.
 */
export type CompileWindow = (window: Window) => RawBuilder<unknown>;

/** How a database reads the index of words in the order of ids. */
export interface SearchDialect {
  readonly window: CompileWindow;
  /** Joins each row with the row of a table that has its id. The planner must keep the order of the rows. */
  readonly joinEach: (
    table: RawBuilder<unknown>,
    alias: RawBuilder<unknown>,
    id: RawBuilder<unknown>,
  ) => RawBuilder<unknown>;
  /**
   * The condition and the order of the rows of a word behind a product. Undefined where an equality of the word and a
   * comparison of the product are read in the order of the index.
   */
  readonly rowsOfWord?: (word: RawBuilder<unknown>, isDescending: boolean) => RowsOfWord;
  /** The rows of all words from one to another. Undefined where two comparisons are read in the order of the index. */
  readonly rowsOfRange?: (low: RawBuilder<unknown>, high: RawBuilder<unknown>) => RawBuilder<unknown>;
}

interface RowsOfWord {
  /** It has the parameter `after`. */
  readonly condition: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
}
