import type { RawBuilder } from 'kysely';
import type { Value } from '#adapters/persistence/schema/entities/table.ts';
import type { CompiledStatement } from '../sql-table.ts';

/** The posting list of a term: the products that have it behind the position, in the order of their ids and each once, as SQL. */
export interface PostingList {
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

/** Parts of a statement that intersects the next rows of posting lists. */
interface Intersection {
  readonly lists: readonly PostingList[];
  /** How many rows of each list a step reads. */
  readonly size: number;
  readonly direction: Direction;
  /** Selects the products of a table of ids, which is called `hits`, up to the parameter `limit`. */
  readonly found: (hits: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** Compiles an intersection to SQL. */
export type CompileIntersection = (intersection: Intersection) => RawBuilder<unknown>;

/** Parts of the statement of a search in a single round trip. */
interface SingleRoundTrip extends Pick<Intersection, 'size' | 'direction'> {
  /** How many terms there are. A term has the parameters `low_0`, `high_0` and, as a whole word, `word_0_0`. */
  readonly count: number;
  /** The columns of a product, whose table is called `product`. */
  readonly columns: RawBuilder<unknown>;
  /**
   * Selects from the products of a table of ids, which is called `hits`, in its order.
   * @param selected all columns of the product by default
   */
  readonly productsOf: (hits: RawBuilder<unknown>, selected?: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Whether the product has the values of the filter. */
  readonly isWanted: RawBuilder<unknown>;
  /** Whether the product has all terms. */
  readonly hasAll: RawBuilder<unknown>;
  /** How many products are found at most. */
  readonly most: RawBuilder<unknown>;
}

/** Compiles the statement of a search in a single round trip to SQL. */
export type CompileSingleRoundTrip = (search: SingleRoundTrip) => RawBuilder<unknown>;

/** How a step intersects posting lists. A row has the last id that was read of each list, null where the list has fewer rows. */
export type IntersectionDialect =
  | {
      /** The ends with each product that was found, or with none in one row. They may be null where enough was found. */
      readonly endsAndFound: CompileIntersection;
    }
  | {
      /** The ends alone, in one row. */
      readonly ends: CompileIntersection;
      /** The products up to the id in the parameter `bound`. */
      readonly found: CompileIntersection;
    };

/** Bounds of the words of a term: between them are all others. */
export interface Bounds {
  readonly low: string;
  readonly high: string;
}

/** The values of the parameters `low_0`, `high_0`, `low_1` and so on, of which a statement has each several times. */
export const boundValues = ({ parameters }: CompiledStatement, bounds: readonly Bounds[]): readonly Value[] =>
  parameters.map((name) => {
    const [end, index] = name.split('_');
    return bounds[Number(index)]?.[end === 'low' ? 'low' : 'high'] ?? null;
  });

/** The first words of a term, and how many rows all its words have. */
export interface FoundWords {
  /** Up to one more than `maxWords`. Of a term with few rows the first is enough. */
  readonly words: readonly string[];
  /** Up to one more than `maxFewRows`; of a term with more than `maxWords`, up to one more than `maxSortedRows`. */
  readonly rowCount: number;
}

/** How many words of a term are read one by one. */
export const maxWords = 8;

/** A term with at most so many rows is read whole, and each of its products is checked for the other terms. */
export const maxFewRows = 128;

/** How many rows of the index can be sorted while a client waits. */
export const maxSortedRows = 2_000;

/** How a database reads the index of words in the order of ids. */
export interface SearchDialect {
  readonly intersect: IntersectionDialect;
  /**
   * Finds products on the assumption that each term is one whole word or that one has few rows, and whether that holds. Each row
   * has `held`: `whole` with the ends of a step, `few` where all were found, or null; and `whole_0` and so on, null for a
   * term that is not one whole word.
   */
  readonly singleRoundTrip?: CompileSingleRoundTrip;
  /** Has the planner find a word of a product by the index that begins with the product. Undefined where it does by itself. */
  readonly indexOfProducts?: RawBuilder<unknown>;
  /** Joins each row with the row of a table that has its id. The planner must keep the order of the rows. */
  readonly joinEach: (
    table: RawBuilder<unknown>,
    alias: RawBuilder<unknown>,
    id: RawBuilder<unknown>,
  ) => RawBuilder<unknown>;
  /** The rows of all words from one to another. Undefined where two comparisons are read in the order of the index. */
  readonly rowsOfRange?: (low: RawBuilder<unknown>, high: RawBuilder<unknown>) => RawBuilder<unknown>;
}
