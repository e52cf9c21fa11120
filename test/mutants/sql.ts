// biome-ignore-all lint/suspicious/noTemplateCurlyInString: The texts are source code.
import { faultsOf, type Mutant } from './mutant.ts';

/** A text that sorts behind every instant. */
const never = "'9999-12-31T23:59:59.999Z'";

/** Faults of what the SQL stores share, shown by SQLite. */
export const sqlMutants: readonly Mutant[] = [
  ...faultsOf('sqlite', 'sql/direct-session.ts', [
    [
      'a save of nothing',
      'valuesOf(statement, row), 1)',
      'valuesOf(statement, row), 0)',
      'are retried when they save what was removed',
    ],
    [
      'a save of several that misses one',
      'JSON.stringify(rows)], rows.length)',
      'JSON.stringify(rows)], 0)',
      'are changed all or none when another unit of work has changed one of them',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/idempotency-keys.ts', [
    [
      'responses that are not searched for an id',
      "is('answer', 'like', parameter(",
      "is('answer', '=', parameter(",
      'are found by the id of their user and by an id in their response, unless unsettled',
    ],
    [
      'ids behind the first eight that are not looked for',
      'for (let first = 0; first < ids.length && found.length < limit; first += idsPerScan)',
      'for (let first = 0; first < 1; first += idsPerScan)',
      'are found by the id of their user and by an id in their response, unless unsettled',
    ],
    [
      'young keys that are stale',
      "is('created_at', '<=', parameter('created_before'))",
      "is('created_at', '<>', parameter('created_before'))",
      'are stale when both instants have passed, the longest idle first',
    ],
    [
      'leases that run and are stale',
      "is('lease_until', '<=', parameter('now'))",
      "is('lease_until', '<>', parameter('now'))",
      'are stale when both instants have passed, the longest idle first',
    ],
    [
      'a lease from a clock that was set back',
      '[createdBefore, latest, now, latest, limit]',
      `[createdBefore, ${never}, now, ${never}, limit]`,
      'are stale, too, when their times are implausibly late',
    ],
    [
      'the latest stale key first',
      ".orderBy('lease_until')",
      ".orderBy('lease_until', 'desc')",
      'are stale when both instants have passed, the longest idle first',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/keyset.ts', [
    [
      'pages in descending order',
      ": rows.orderBy('id');",
      ": rows.orderBy('id', 'desc');",
      'ascend by id, in any order of insertion',
    ],
    [
      'a cursor that is shown again',
      "'<' : '>';",
      "'<' : '>=';",
      'have the requested length while there are more, and show whether there are',
    ],
    [
      'a descending cursor that is shown again',
      "'<' : '>';",
      "'<=' : '>';",
      'descend, and begin after their cursor, where that is asked for',
    ],
    [
      'pages that never descend',
      "rows.orderBy('id', 'desc')",
      "rows.orderBy('id')",
      'descend, and begin after their cursor, where that is asked for',
    ],
    [
      'a filter that is not applied',
      'value === undefined ?',
      'true ?',
      'and by all of them at once, where a field that is undefined asks for nothing',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/paging.ts', [
    [
      'a filter that finds what is behind it',
      "page.where(columnOf(field), '=', parameter(field))",
      "page.where(columnOf(field), '>=', parameter(field))",
      'and by all of them at once, where a field that is undefined asks for nothing',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/created-between/page-statements.ts', [
    [
      'a period that begins later',
      "? '>=' : '<'",
      "? '>' : '<'",
      'include its first instant, and exclude its last',
    ],
    [
      'a period that ends later',
      "? '>=' : '<'",
      "? '>=' : '<='",
      'include its first instant, and exclude its last',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/created-between/parts.ts', [
    [
      'periods without what was created before the clock was set back',
      'if (end !== undefined) parts.push',
      'if (false) parts.push',
      'have all that was created in them, also where the clock was wrong when ids were made',
    ],
    [
      'periods without what was created after the clock was set forward',
      'if (first !== undefined) parts.unshift',
      'if (false) parts.unshift',
      'have all that was created in them, also where the clock was wrong when ids were made',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/quotas.ts', [
    [
      'a quota without a limit',
      "or ${excluded('used')} <= ${limit} - ${quotas}.used then",
      'or true then',
      'are leased up to the limit, and no further',
    ],
    [
      'a window that does not end',
      "${excluded('ends_at')} - ${windowMilliseconds}`",
      "${excluded('ends_at')} - ${1e9 * windowMilliseconds}`",
      'are complete again after the window has ended',
    ],
    [
      'a window from a clock that was set back',
      'or ${isImplausible} then',
      'or false then',
      'drop a window whose end is implausible after the clock was set back (clock skew)',
    ],
    [
      'a block returned to another window',
      "${quotas}.ends_at = ${excluded('ends_at')} and ",
      '',
      'are returned to their own window only',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/on-conflict.ts', [
    [
      'a leader lease that outlives its end',
      "is(`${leases}.until`, '<=', parameter('now'))",
      "is(`${leases}.until`, '<', parameter('now'))",
      'is acquired by another process the moment it expires, and then denied to the first',
    ],
    [
      'a leader lease from a clock that was set back',
      'latestPlausibleExpiry(expiresAt)]',
      `${never}]`,
      'is free when it expires implausibly late, because it was written before the clock was set back',
    ],
    [
      'a leader lease taken from its holder',
      "'=', is.ref('excluded.holder')",
      "'<>', is.ref('excluded.holder')",
      'is denied to other processes until it expires, however often they ask',
    ],
    [
      'an unchecked version in bulk',
      ".where(`${table}.version`, '=', sql<number>`${sql.ref('given.version')} - 1`)",
      '',
      'are changed all or none when another unit of work has changed one of them',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/repositories.ts', [
    [
      'a page that never has another',
      'limit: limit + 1',
      'limit',
      'have the requested length while there are more, and show whether there are',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/sales.ts', [
    [
      'sums without what was created when the period begins',
      ".where('created_at', '>=',",
      ".where('created_at', '>',",
      'include what was created when the period begins, and exclude what was created when it ends',
    ],
    [
      'sums with what was created when the period ends',
      ".where('created_at', '<',",
      ".where('created_at', '<=',",
      'include what was created when the period begins, and exclude what was created when it ends',
    ],
    [
      'sums of payments with what was released',
      ", 'released_amount')",
      ')',
      'are of what was created in a period, by status and currency, whatever the period',
    ],
    [
      'sums of the higher bits alone',
      ' + BigInt(row.low)',
      '',
      'are of what was created in a period, by status and currency, whatever the period',
    ],
    [
      'parts of a period that overlap',
      'yield { from: begin, until: end };',
      'yield { from: begin, until };',
      'are exact beyond 64 bits, of thousands that were created at once or one after the other',
    ],
    [
      'sums that leave the process no turn',
      'await this.#endOfTurn();',
      '',
      'let the process do other work between two calls',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/missing-times.ts', [
    [
      'times that are overwritten',
      "\n        .where(column, 'is', null)",
      '',
      'stay as they are where they are known, and are passed over where nothing is',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/sandbox-ledger.ts', [
    [
      'a verdict that replaces the first',
      'inserted > 0 ?',
      'inserted >= 0 ?',
      'keeps the first verdict, and returns it to later calls',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/dialect.ts', [
    [
      'a list of what was not asked for',
      '${sql.ref(column)} in (${rows})',
      '${sql.ref(column)} not in (${rows})',
      'are added, found by one of their fields in the order of their ids, and changed',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/statements.ts', [
    [
      'the first of all values together',
      'partition by ${sql.ref(column)} order by',
      'order by',
      'are as many for each as the limit says, and never fewer because others have more',
    ],
    [
      'the last of each value',
      "order by ${sql.ref('id')})`",
      "order by ${sql.ref('id')} desc)`",
      'are as many for each as the limit says, and never fewer because others have more',
    ],
    [
      'an unchecked version',
      '= isVersioned ?',
      '= false ?',
      'are retried when they save over a newer version (optimistic concurrency)',
    ],
    [
      'a list in descending order',
      "among(column).orderBy('id')",
      "among(column).orderBy('id', 'desc')",
      'are added, found by one of their fields in the order of their ids, and changed',
    ],
  ]),
  ...faultsOf('sqlite', 'sql/idempotency-pages.ts', [
    [
      'leases that are held however late they end',
      ".where('lease_until', '<=', parameter('latest_plausible')),",
      ',',
      'lists by status, which a lease has by the time that it ends',
    ],
    [
      'lists of settled keys alone',
      "unionAll(wrapped(unsettled, 'unsettled'))",
      "unionAll(wrapped(settled, 'unsettled'))",
      'lists the records of one user in the order of their ids, in pages of any length',
    ],
    [
      'a find by id among settled keys',
      ".where('lease_until', '>=', parameter('earliest')).where('id', '=', parameter('id'))",
      ".where('lease_until', '=', parameter('earliest')).where('id', '=', parameter('id'))",
      'finds one by the id of its resource, settled or not, and none by another id',
    ],
  ]),
];
