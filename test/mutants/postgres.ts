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
      'let those behind them read the latest commit: the locked resource, others, and lists',
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
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/unit-session.ts', [
    [
      'work that goes on after its end',
      'this.#hasEnded = true;',
      '',
      'rejects everything that is called after its end, and sends nothing',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/group-commit.ts', [
    [
      'an error that is given to all',
      'isOutcomeKnown(error) :',
      'false :',
      'that only add rows fail each for its own reason only',
    ],
    [
      'a retry of an unknown commit',
      'isOutcomeKnown(error) :',
      'true :',
      'that only add rows are unavailable, and are not tried again, when the connection breaks during their commit',
    ],
    [
      'a member that holds up all groups',
      '[limitLockWait, ...statements]',
      '[...statements]',
      'that only add rows do not wait for others that wait for a lock',
    ],
    [
      'an only member that is unavailable for its lock',
      ': isLockTimeout(error)',
      ': false',
      'that only add rows do not wait for others that wait for a lock',
    ],
    [
      'the deadline of another member',
      'Math.min(',
      'Math.max(',
      'that only add rows leave a deadline that has passed to the one whose it is',
    ],
    [
      'a group that fails for a member that is late already',
      '.filter(isInTime)',
      '',
      'that only add rows leave a deadline that has passed to the one whose it is',
    ],
    [
      'a group that is never counted as ended',
      'inFlight -= 1;',
      '',
      'whose commit is abandoned returns its connection in no transaction, though a write fails later',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/exchanges.ts', [
    [
      'a failure that work can catch',
      'await this.#last;\n    this.throwIfFailed();',
      'await this.#last;',
      'that catches the error of a change fails with that error all the same, and is not run again',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/unit-of-work.ts', [
    [
      'a connection that a failure does not give back',
      'await transaction.rollback(error);',
      'void error;',
      'whose commit is abandoned returns its connection in no transaction, though a write fails later',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/idempotency-partitions.ts', [
    [
      'an insert of a key without its look-up',
      'builder.selectFrom(name),\n  );\n  const given',
      "builder.selectFrom(name).where('part', 'is', null),\n  );\n  const given",
      'are carried out once though a new partition opens between the look-up and the commit',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/connection/cancel.ts', [
    [
      'a connection that is left in a failed transaction',
      "if (outcome !== 'usable')",
      "if (isCommit || outcome !== 'usable')",
      'whose commit is abandoned returns its connection in no transaction, though a write fails later',
    ],
    [
      'a commit that is cancelled',
      'if (!isCommit && !',
      'if (!',
      'whose deadline passes during its commit is not canceled: it may be committed',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/connection/pool.ts', [
    [
      'a slot that is lost with its connection',
      'if (this.#inTransaction.delete(client)) this.#transactionSlots.release();',
      '',
      'whose commit is abandoned returns its connection in no transaction, though a write fails later',
    ],
    [
      'a slot that is lost with a connection that is not free',
      'this.#transactionSlots.release();\n      throw error;',
      'throw error;',
      'that finds no server commits nothing, and returns its connection and its turn',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/connection/transaction-slots.ts', [
    [
      'units that leave no connection for reads',
      'poolSize - connectionsForReads',
      'poolSize',
      'that only add rows leave a deadline that has passed to the one whose it is',
    ],
  ]),
];
