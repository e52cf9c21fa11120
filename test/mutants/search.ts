// biome-ignore-all lint/suspicious/noTemplateCurlyInString: The texts are source code.
import { faultsOf, type Mutant } from './mutant.ts';

const many = 'find as many as there are, of common words and of prefixes with many words';

/** Faults of the search of products in the SQL stores, shown by SQLite. */
export const searchMutants: readonly Mutant[] = [
  ...faultsOf('sqlite', 'sql/search/search.ts', [
    ['a search that ends with its first step', '|| first === undefined)', '|| first !== "")', many],
  ]),
  // A step that is bounded by the farther end is read whole, and misses nothing.
  ...faultsOf('postgres', 'sql/search/statements.ts', [
    [
      'a step that ends where the farthest list ends',
      'isDescending ? ids.at(-1) : ids[0]',
      'isDescending ? ids[0] : ids.at(-1)',
      many,
    ],
  ]),
  ...faultsOf('sqlite', 'sql/search/statements.ts', [
    [
      'stocks that are as high as the bound',
      'product.stock_thousandths < ${',
      'product.stock_thousandths <= ${',
      'find counted stocks that are lower than a given one, also without any word',
    ],
    [
      'low stocks of which the lowest alone are found',
      '${sql.lit(anyRows)}) as low',
      '${sql.lit(40)}) as low',
      'find every low stock of many products, whether few or most have one',
    ],
  ]),
  ...faultsOf('postgres', 'sql/search/single-round-trip.ts', [
    [
      'one whole word in place of all words with the prefix',
      'sql`${lastWord(index)} = ${low} as ${isWhole}',
      'sql`${lastWord(index)} >= ${low} as ${isWhole}',
      many,
    ],
    ['a step without an end', "'whole' and (select", "'whole' and 0 > (select", many],
    [
      'products with one of the words',
      '${hasAll})',
      '${hasAll} or 1 = 1)',
      'find the products that have all of them, by whole words and by prefixes',
    ],
  ]),
  ...faultsOf('mariadb', 'sql/search/single-round-trip.ts', [
    [
      'one whole word in place of all words with the prefix, in a join',
      'sql`${lastWord(index)} = ${parameter(`low_${index}`)}`',
      'sql`${lastWord(index)} >= ${parameter(`low_${index}`)}`',
      many,
    ],
  ]),
  ...faultsOf('sqlite', 'sql/search/find-words.ts', [
    ['a term whose second word ends it', 'if (word === begin.last ||', 'if (words.length > 1 ||', many],
  ]),
  ...faultsOf('sqlite', 'sqlite/dialect.ts', [
    ['a search for any of the words', 'sql` intersect `', 'sql` union `', many],
  ]),
  ...faultsOf('sqlite', 'sql/search/posting-list.ts', [
    ['a prefix of which one word counts', 'if (term.words.length <= 1)', 'if (term.words.length <= 9)', many],
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
