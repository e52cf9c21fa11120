// biome-ignore-all lint/suspicious/noTemplateCurlyInString: The texts are source code.
import { faultsOf, type Mutant } from './mutant.ts';

/** Faults of the connections to SQLite, and of its dialect. */
export const sqliteMutants: readonly Mutant[] = [
  ...faultsOf('sqlite', 'retry.ts', [
    [
      'a lasting violation that is retried as a race',
      'if (isLasting(last, error))',
      'if (false)',
      'let nothing refer by orders.userId to what does not exist',
    ],
    [
      'a violation that is never retried',
      'if (!(error instanceof ConcurrencyConflict)) throw error;',
      'if (!(error instanceof ConcurrencyConflict) || error instanceof ConstraintRace) throw error;',
      'let nothing refer by orders.userId to what does not exist',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/connect.ts', [
    [
      'references that are not enforced',
      "'foreign_keys = on'",
      "'foreign_keys = off'",
      'let nothing refer by payments.orderId to what does not exist',
    ],
    [
      'a commit that does not wait for the disk',
      "'synchronous = full'",
      "'synchronous = normal'",
      'uses WAL, waits for the disk, enforces foreign keys, and reads from a read-only connection',
    ],
    [
      'a log that blocks readers',
      "database.pragma('journal_mode = wal');",
      "database.pragma('journal_mode = delete');",
      'uses WAL, waits for the disk, enforces foreign keys, and reads from a read-only connection',
    ],
    [
      'a wait for a lock that blocks the event loop',
      'atRuntime: 0',
      'atRuntime: 3_500',
      'uses WAL, waits for the disk, enforces foreign keys, and reads from a read-only connection',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/connection.ts', [
    [
      'a transaction that begins with its first write',
      "'begin immediate'",
      "'begin'",
      'by default waits three seconds for the write lock of another process',
    ],
    [
      'a commit that is not made',
      'this.execute(commit, []);',
      'this.execute(rollback, []);',
      'returns what its work returns, and commits its changes',
    ],
    [
      'a rollback that is not made',
      'if (this.isInTransaction) this.execute(rollback, []);',
      'if (this.isInTransaction) this.execute(commit, []);',
      'leave nothing behind when they fail: no resource, no key, no lease',
    ],
    [
      'an error of the driver in a query',
      'throw translateError(error);\n    }\n  }\n\n  /** @returns how',
      'throw error;\n    }\n  }\n\n  /** @returns how',
      'is unavailable once it is closed',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/dialect.ts', [
    [
      'a purge of keys that are still valid',
      "'<=', parameter('created_before')",
      "'>', parameter('created_before')",
      'are deleted in batches, however many they are, and none created later is',
    ],
    [
      'a purge that leaves a key of that instant',
      "'<=', parameter('created_before')",
      "'<', parameter('created_before')",
      'are deleted when they were created at the instant or before, but never while a process is under way',
    ],
    [
      'a purge of keys whose lease runs',
      "    .where('lease_until', 'is', null)\n",
      '',
      'are deleted when they were created at the instant or before, but never while a process is under way',
    ],
    [
      'a purge of one batch only',
      '=== purgeBatchSize',
      '> purgeBatchSize',
      'are deleted in batches, however many they are, and none created later is',
    ],
    [
      'texts in bulk that stay JSON',
      'value ->> ${sql.lit(column)}',
      'value -> ${sql.lit(column)}',
      'are returned as they were added, whatever characters they contain',
    ],
    [
      'a clock that stands still',
      "unixepoch('subsec')",
      "unixepoch('2020-01-01')",
      'returns the time of the machine, in a file and in memory, whatever the clock of this process says',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/errors.ts', [
    [
      'a missing reference that is retried as a conflict',
      'return referenceError(error);',
      'return new ConcurrencyConflict(error.message, error);',
      'let nothing refer by orders.userId to what does not exist',
    ],
    [
      'a conflict without its field',
      "columns.replace('.', '_')",
      'columns',
      'let no two products have the same sku, added or changed, alone or in bulk',
    ],
    [
      'an id that is taken and counts as a conflict',
      "return `${columns.split('.')[0]}_pkey`;",
      "return 'products_sku_unique';",
      'let no id be taken twice, also within one unit of work',
    ],
    [
      'a full disk that is a defect',
      'FULL|IOERR',
      'IOERR',
      'is unavailable to writers while the disk is full, serves reads, and recovers when there is room',
    ],
    [
      'a closed store that is a defect',
      'error.message === closedMessage',
      'false',
      'is unavailable once it is closed',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/open.ts', [
    [
      'a file of something else that is a defect',
      'unavailable(damageError(file, error.message, error))',
      'damageError(file, error.message, error)',
      'is unavailable when the file is not a database',
    ],
    [
      'a dirty read',
      'new SqliteConnection(reader, health)',
      'new SqliteConnection(writer, health)',
      'never shows others what it rolls back',
    ],
    [
      'a schema that is always in step',
      "return compareMigrations('sqlite', appliedMigrations(database));",
      'return { applied: appliedMigrations(database), pending: [], unknown: [] };',
      'names the migrations that are missing by now',
    ],
    [
      'a verdict within a unit of work',
      'sqlSandboxLedger(builder, sqliteDialect, { ...writes.autocommit(), query: reads.query })',
      'sqlSandboxLedger(builder, sqliteDialect, sqliteSession(new SqliteConnection(writer, health)))',
      'is written while units of work go on, and is part of none',
    ],
    [
      'files that are not guarded',
      'guardFileIdentity(file)',
      'noFiles',
      'acknowledges no write once its file has been removed',
    ],
  ]),
];
