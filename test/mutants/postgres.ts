import { faultsOf, type Mutant } from './mutant.ts';

export const postgresMutants: readonly Mutant[] = [
  // Only here two units of work run at once.
  ...faultsOf('postgres', 'sql/constraint-errors.ts', [
    [
      'a race for a payment that is final',
      "'idempotency_keys_pkey', onePaymentPerOrder]",
      "'idempotency_keys_pkey']",
      'let of two live payments that are begun at once only one be, and the other work sees it',
    ],
    [
      'a race for a key that is final',
      "['idempotency_keys_pkey', onePaymentPerOrder]",
      '[onePaymentPerOrder]',
      'is carried out once of twenty concurrent requests',
    ],
  ]),
  ...faultsOf('postgres', 'postgres/dialect.ts', [
    [
      'a write before its lock: a lock that only reads',
      'select.forNoKeyUpdate()',
      'select',
      'let those behind them read the latest commit: the locked resource, others, and lists',
    ],
    [
      'a lock that references wait for',
      'select.forNoKeyUpdate()',
      'select.forUpdate()',
      'wait only for the locks they need does not keep those waiting that refer to what is locked',
    ],
    [
      'a lock that is shared',
      'select.forNoKeyUpdate()',
      'select.forShare()',
      'lose no update when each locks what it changes: twenty increments',
    ],
    [
      'an unchecked count',
      'portico_require(count',
      'portico_require(true or count',
      'are rejected when two save one version, although both are its own',
    ],
  ]),
  ...faultsOf('postgres', 'postgres/transaction.ts', [
    [
      'a commit after the deadline',
      '...last, ...this.#timeCheck, commit',
      '...last, commit',
      'commits nothing when it passes while its changes wait for a lock',
    ],
    [
      'a write without a transaction',
      'begin: this.#connections.begin }',
      'begin: [] }',
      'is visible to others as a whole or not at all',
    ],
    [
      'a deadline on another clock',
      'Math.floor(this.commitBy - this.#begunAt)',
      'Math.floor(this.commitBy)',
      'commits nothing when it passes while its changes wait for a lock',
    ],
  ]),
  ...faultsOf('postgres', 'postgres/unit-session.ts', [
    [
      'a read that misses its own writes',
      'this.#writes.isPending(table)',
      'false',
      'are found, locked and listed by itself as soon as they are made',
    ],
    [
      'a statement of its own that sees no writes',
      'execute(this.#writes.flush(), bound)',
      'execute([], bound)',
      'of its idempotency keys are seen when it looks for stale ones',
    ],
    ['a lease that is not committed', 'this.#hasExecuted = true;', '', 'of leases bind another process'],
  ]),
  ...faultsOf('postgres', 'postgres/exchanges.ts', [
    [
      'a read that sees writes behind it',
      'const exchange: Exchange =',
      'if (this.#open !== undefined) return Object.assign(this.#open, { writes });\n    const exchange: Exchange =',
      'that are issued side by side see each other in the order of the calls',
    ],
    [
      'reads before locks',
      '[...exchange.locks, ...exchange.reads]',
      '[...exchange.reads, ...exchange.locks]',
      'let those behind them read the latest commit in a read that is issued together with the lock',
    ],
    [
      'a lock without a transaction',
      'writes.length > 0 || locks.length > 0 ||',
      'writes.length > 0 ||',
      'let those behind them read the latest commit: the locked resource, others, and lists',
    ],
    [
      'a read that gets the result of a write',
      'results[writes.length + index]',
      'results[index]',
      'are found, locked and listed by itself as soon as they are made',
    ],
  ]),
  ...faultsOf('postgres', 'postgres/unit-of-work.ts', [
    [
      'a lost rollback',
      'await transaction.rollback(error);',
      'await transaction.commit([]).catch(() => undefined);',
      'never shows others what it rolls back',
    ],
    [
      'a commit that is not sent',
      'if (!session.hasChanged)',
      'if (true)',
      'returns what its work returns, and commits its changes',
    ],
    [
      'a read after the deadline',
      'throwIfExpired(deadline);',
      '',
      'does not start after it, nor does a read',
    ],
    [
      'a conflict that is not retried',
      'retryOnConflict(() => attempt(work, deadline, context), deadline)',
      'attempt(work, deadline, context)',
      'are retried when they save over a newer version (optimistic concurrency)',
    ],
  ]),
  ...faultsOf('postgres', 'postgres/write-set.ts', [
    [
      'writes in another order',
      'this.#pending.push(statement)',
      'this.#pending.unshift(statement)',
      'happen in the order of the calls',
    ],
    [
      'a write that is sent twice',
      'this.#pending = [];\n    this.#tables',
      'this.#tables',
      'are found, locked and listed by itself as soon as they are made',
    ],
    [
      'a write that no read waits for',
      'this.#tables.add(table);',
      '',
      'are found, locked and listed by itself as soon as they are made',
    ],
    [
      'a write that is dropped',
      'this.#pending.push(statement);',
      '',
      'returns what its work returns, and commits its changes',
    ],
  ]),
  ...faultsOf('postgres', 'postgres/errors.ts', [
    [
      'a deadlock that is a defect',
      "'40P01', ",
      '',
      'all succeed, although two lock the same resources in opposite order (deadlock)',
    ],
    [
      'a missing reference that is a defect',
      'return referenceError(error);',
      'return error;',
      'let nothing refer by orders.userId to what does not exist',
    ],
  ]),
];
