// biome-ignore-all lint/suspicious/noTemplateCurlyInString: The texts are source code.
import { faultsOf, type Mutant } from './mutant.ts';

const many = 'find as many as there are, of common words and of prefixes with many words';

/** Faults of the search of products in the SQL stores, shown by SQLite. */
export const searchMutants: readonly Mutant[] = [
  ...faultsOf('sqlite', 'sql/search/search.ts', [
    ['a search that ends with its first window', '|| first === undefined)', '|| first !== "")', many],
  ]),
  // A window that is bounded by the farther end is read whole, and leaves nothing out.
  ...faultsOf('postgres', 'sql/search/statements.ts', [
    [
      'a window that ends where the farthest stream ends',
      'isDescending ? ids.at(-1) : ids[0]',
      'isDescending ? ids[0] : ids.at(-1)',
      many,
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/dialect.ts', [
    ['a search for any of the words', 'sql` intersect `', 'sql` union `', many],
  ]),
  ...faultsOf('sqlite', 'sql/search/streams.ts', [
    [
      'a prefix of which one word counts',
      'if (source.words.length <= 1)',
      'if (source.words.length <= 9)',
      'find the products that have all of them, by whole words and by prefixes',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/search/product-words.ts', [
    [
      'words that stay when they are replaced',
      'await this.#session.remove(this.#compiled.table, [productId]);',
      'if (productId.length < 9) await this.#session.remove(this.#compiled.table, [productId]);',
      'are replaced for each product of a list, and leave the index where there are none',
    ],
    [
      'a range without its end',
      "'product_id', '<=', parameter('up_to')",
      "'product_id', '<', parameter('up_to')",
      'are read in ranges of ids, with those of products that do not exist',
    ],
  ]),
];
