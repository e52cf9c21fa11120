import { faultsOf, type Mutant } from './mutant.ts';

export const mariadbMutants: readonly Mutant[] = [
  ...faultsOf('mariadb', 'mariadb/session-settings.ts', [
    [
      'reads of what is not committed',
      "'READ-COMMITTED'",
      "'READ-UNCOMMITTED'",
      'never shows others what it rolls back',
    ],
    [
      'a snapshot from before the lock',
      "'READ-COMMITTED'",
      "'REPEATABLE-READ'",
      'let those behind them read the latest commit: the locked resource, others, and lists',
    ],
  ]),
  ...faultsOf('mariadb', 'schema/migrations/0001-baseline/mariadb.ts', [
    [
      'keys compared without case',
      '`key\\` varchar(320) not null,\n      role',
      '`key\\` varchar(320) collate utf8mb4_general_nopad_ci not null,\n      role',
      'of idempotency keys are compared code point by code point',
    ],
    [
      'texts compared without spaces at their end',
      'sku varchar(320)',
      'sku varchar(320) collate utf8mb4_bin',
      'of products.sku are compared code point by code point',
    ],
  ]),
  ...faultsOf('mariadb', 'sql/repositories.ts', [
    [
      'locks in the order in which ids are given',
      'valuesOf(values).toSorted()',
      'valuesOf(values)',
      'locks several resources in ascending order of id, in whatever order they are given',
    ],
  ]),
  ...faultsOf('mariadb', 'mariadb/dialect.ts', [
    [
      'a lock that only reads',
      'select.forUpdate()',
      'select',
      'keep others from changing or removing the resource',
    ],
    [
      'an unchecked version in bulk',
      "'=', sql<number>",
      "'>=', sql<number>",
      'are changed all or none when another unit of work has changed one of them',
    ],
    [
      'a purge of keys whose process is under way',
      "      .where('lease_until', 'is', null)\n",
      '',
      'are deleted when they were created at the instant or before, but never while a process is under way',
    ],
    [
      'a lease that is taken from its holder',
      "is('until', '<=', parameter('now'))",
      "is('until', '>', parameter('now'))",
      'is denied to other processes until it expires, however often they ask',
    ],
    [
      'a block returned to another window',
      'where === undefined ? value',
      'true ? value',
      'are returned to their own window only',
    ],
  ]),
  ...faultsOf('mariadb', 'mariadb/orm.ts', [
    [
      'changed rows in place of found ones',
      "charset: 'utf8mb4',",
      "charset: 'utf8mb4', flags: ['-FOUND_ROWS'],",
      'is renewed by its holder any number of times',
    ],
  ]),
  ...faultsOf('mariadb', 'mariadb/session.ts', [
    [
      'a rollback that is not sent',
      'await this.#connection?.rollback();',
      '',
      'rolls back when its work throws, and throws the same error',
    ],
    [
      'a commit after a rejected change',
      'await this.#last;\n    if (this.#failure !== undefined) throw this.#failure.error;',
      'await this.#last;',
      'rolls back after a rejected change, even if the work catches the error',
    ],
    [
      'an unchecked row count',
      'if (changed < expectedRows)',
      'if (changed < 0)',
      'are rejected when two save one version, although both are its own',
    ],
    [
      'a statement without a transaction',
      'await this.#connection.control(begin, this.#deadline);',
      '',
      'is visible to others as a whole or not at all',
    ],
  ]),
  ...faultsOf('mariadb', 'mariadb/errors.ts', [
    [
      'a deadlock that is not retried',
      'if (errno === codes.deadlock) return new ConcurrencyConflict(error.message, error);',
      'if (errno === codes.deadlock) return unavailable(error);',
      'all succeed, although two lock the same resources in opposite order (deadlock)',
    ],
    [
      'a race for a key that is final',
      "name === 'PRIMARY'",
      "name === 'none'",
      'is carried out once of twenty concurrent requests',
    ],
    [
      'a reference that is not named',
      'if (isOneOf(codes.references, errno)) return referenceError(error);',
      '',
      'let nothing be removed that orders refer to by userId',
    ],
  ]),
  ...faultsOf('mariadb', 'mariadb/unit-of-work.ts', [
    [
      'a conflict that is not retried',
      'maxAttempts = 12',
      'maxAttempts = 1',
      'both take effect when two change what neither has locked',
    ],
    [
      'a commit after the deadline',
      'throwIfExpired(commitBy);',
      '',
      'commits nothing after it, and does not affect others',
    ],
  ]),
  ...faultsOf('mariadb', 'mariadb/migrate.ts', [
    [
      'migrations that two processes apply at once',
      'if (!isDuplicate) throw error;',
      'return;',
      'is migrated by one of several processes that start at once, and says that it was empty to one',
    ],
  ]),
];
