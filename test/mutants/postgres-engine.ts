import { faultsOf, type Mutant } from './mutant.ts';

/** Faults that only the tests of PostgreSQL's own engine can notice. */
export const postgresEngineMutants: readonly Mutant[] = [
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
      'hangs',
    ],
    [
      'a member that is left out and not committed',
      "if (canRetryAlone) resolve('alone');",
      'if (canRetryAlone) resolve({ isRecorded: true });',
      'that only add rows are committed one by one when they cannot be together',
    ],
    [
      'a group without a limit for its wait',
      "'lock_timeout', '50'",
      "'lock_timeout', '0'",
      'that only add rows do not wait for others that wait for a lock',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/exchanges.ts', [
    [
      'a failure that is forgotten',
      'this.#failure ??= { error };',
      '',
      'that catches the error of a change fails with that error all the same, and is not run again',
    ],
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
      'hangs',
    ],
    [
      'a rollback while a read is under way',
      'await session.end().catch(() => undefined);',
      '',
      'that does not end well commits nothing, and returns its connection and its turn (throws behind a lock, while a read that it does not await is under way)',
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
      'hangs',
    ],
    [
      'a slot that is lost with a connection that is not free',
      'this.#transactionSlots.release();\n      throw error;',
      'throw error;',
      'that does not end well commits nothing, and returns its connection and its turn (finds no server)',
      'hangs',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'sql/transaction-slots.ts', [
    [
      'units that leave no connection for reads',
      'poolSize - connectionsForReads',
      'poolSize',
      'that only add rows leave a deadline that has passed to the one whose it is',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/transaction.ts', [
    [
      'a commit that is sent as any statement',
      'this.#deadline, true)',
      'this.#deadline, false)',
      'whose deadline passes during its commit is not canceled: it may be committed',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/errors.ts', [
    [
      'a lost commit that is retried',
      'return isUnavailable ? unavailable(error) : error;',
      'return isUnavailable ? new ConcurrencyConflict(error.message, error) : error;',
      'are unavailable and run only once when the connection breaks: the outcome is unknown (at commit)',
    ],
    [
      'a serialization failure that is a defect',
      "'40001', ",
      '',
      'run again when the commit of the first run fails to serialize',
    ],
    [
      'a lost connection that goes back to the pool',
      'return cause === undefined ||',
      'return true ||',
      'for a write to a demoted primary (25006) comes once, because then all connections are new',
    ],
  ]),
];
