import { posix } from 'node:path';
/** Tests that must notice a mutant. */
export interface Selection {
  readonly files: readonly string[];
  /** Regular expression for the full titles of the tests to run. */
  readonly titles: string;
  /** Whether a PostgreSQL server is started for them. */
  readonly needsPostgres?: true;
}

type Tests = 'port' | 'memory' | 'sqlite' | 'postgres' | 'PostgreSQL alone';

/** A fault, planted by replacing one text of one file. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Must stand in the file exactly once. */
  readonly text: string;
  readonly replacement: string;
  readonly tests: Tests;
  /** The title of the test that must fail. It runs alone, so no other can fail in its place. Without one, all run. */
  readonly promise?: string | undefined;
}

const contract = 'test/contracts/persistence.test.ts';
const ofPostgres = (name: string): string => `test/adapters/persistence/postgres/${name}.test.ts`;

export const selections: Readonly<Record<Tests, Selection>> = {
  // The suites loop over the constraints, so another source must notice that one is missing.
  port: {
    files: ['test/adapters/persistence/schema.test.ts'],
    titles: 'keep exactly the constraints that the port lists',
  },
  memory: { files: [contract], titles: '^memory:' },
  sqlite: { files: [contract, 'test/adapters/persistence/sqlite/group-commit.test.ts'], titles: 'SQLite' },
  postgres: { files: [contract], titles: '^PostgreSQL:', needsPostgres: true },
  'PostgreSQL alone': {
    files: ['unit-of-work', 'group-commit', 'idempotency-partitions'].map(ofPostgres),
    titles: '',
    needsPostgres: true,
  },
};

/** Faults of one file, by its path from the stores, each with its name, the text, and what replaces it. */
const faultsOf = (
  tests: Tests,
  file: string,
  faults: readonly (readonly [name: string, text: string, replacement: string, promise?: string])[],
): Mutant[] =>
  faults.map(([name, text, replacement, promise]) => ({
    name,
    file: posix.join('adapters/persistence', file),
    text,
    replacement,
    tests,
    promise,
  }));

/** The tests that must notice a mutant: one by its whole title, if it names a promise. */
export const selectionOf = ({ tests, promise }: Mutant): Selection => {
  const all = selections[tests];
  if (promise === undefined) return all;
  return { ...all, titles: `${all.titles}.* ${RegExp.escape(promise)}$` };
};

export const mutants: readonly Mutant[] = [
  ...faultsOf('memory', 'memory/unit-of-work.ts', [
    [
      'a lost rollback',
      'await work(repositories);',
      'await work(repositories).finally(commit);',
      'rolls back when its work throws, and throws the same error',
    ],
    [
      'a commit after a rejected change',
      'if (failure !== undefined) throw failure;',
      '',
      'rolls back after a rejected change, even if the work catches the error',
    ],
    [
      'a commit after the deadline',
      'throwIfExpired(deadline);\n    commit();',
      'commit();',
      'commits nothing after it, and does not affect others',
    ],
    [
      'a read after the deadline',
      'throwIfExpired(deadlineOf(context));',
      '',
      'does not start after it, nor does a read',
    ],
    [
      'a write before its lock',
      'this.#last.then(() => retry',
      'Promise.resolve().then(() => retry',
      'lose no update when each locks what it changes: twenty increments',
    ],
    [
      'a commit without one of its tables',
      'of drafts) pending',
      'of drafts.slice(1)) pending',
      'both take effect when two change what neither has locked',
    ],
    [
      'a failure that is passed on to the next',
      'turn.catch(() => undefined)',
      'turn',
      'are independent when some of them fail, each in its own way',
    ],
    [
      'a leader lease taken from its holder',
      'if (isHeld && current.holder !== lease.holder) return false;',
      '',
      'is denied to other processes until it expires, however often they ask',
    ],
  ]),
  ...faultsOf('memory', 'memory/repository.ts', [
    [
      'an unchecked version',
      '!== resource.version - 1)',
      '=== -1)',
      'are retried when they save over a newer version (optimistic concurrency)',
    ],
    [
      'an update of a removed resource',
      'this.#draft.get(resource.id)?.version !==',
      '(this.#draft.get(resource.id)?.version ?? resource.version - 1) !==',
      'are retried when they save what was removed',
    ],
    [
      'a second resource with the same id',
      'if (this.#draft.get(resource.id) !== undefined)',
      'if (false)',
      'rejects a second resource with the same id',
    ],
    [
      'a page that ignores its filter',
      'conditions.every(',
      'conditions.some(',
      'and by all of them at once, where a field that is undefined asks for nothing',
    ],
    [
      'a page without its first row',
      'this.#draft.walk(after)',
      'this.#draft.walk(after ?? [...this.#draft.walk()][0]?.id)',
      'orders by userId',
    ],
    [
      'a change of several that ends early',
      'resources) await this.save(resource);',
      'resources.slice(1)) await this.save(resource);',
      'are added, found by one of their fields in the order of their ids, and changed',
    ],
    [
      'a removal that is forgotten',
      'this.#draft.put(id, undefined);',
      '',
      'remove, and do nothing when it is gone already',
    ],
  ]),
  ...faultsOf('port', '../../application/ports/repositories.ts', [
    ['an unchecked sku', "{ unique: 'sku' }", '{}'],
    ['an unchecked address', "{ unique: 'email' }", '{}'],
    ['an unchecked second review', "unique: 'itemId', ", ''],
    ['an order of no user', "orders: { reference: ['userId', 'users'] }", 'orders: {}'],
    ['an API key of no user', "apiKeys: { reference: ['userId', 'users'] }", 'apiKeys: {}'],
    ['an item of no order', "orderItems: { reference: ['orderId', 'orders'] }", 'orderItems: {}'],
    ['a review of no item', ", reference: ['itemId', 'orderItems']", ''],
    ['a payment of no order', "payments: { reference: ['orderId', 'orders'] }", 'payments: {}'],
    ['a refund of no payment', "refunds: { reference: ['paymentId', 'payments'] }", 'refunds: {}'],
  ]),
  ...faultsOf('memory', 'memory/constraints.ts', [
    [
      'a resource in conflict with itself',
      '.some(({ id }) => id !== resource.id)',
      '.some(() => true)',
      'may follow each other on one resource, each with the next version',
    ],
    ['two empty fields in conflict', ' && valueIn(unique) !== null', ''],
    [
      'a reference to nothing',
      'return found ?',
      'return true ?',
      'let nothing refer by orders.userId to what does not exist',
    ],
    [
      'a removal of what is referred to',
      'isReferred ?',
      'false ?',
      'let nothing be removed that orders refer to by userId',
    ],
    [
      'a removed user with API keys',
      'collectionNames.some(',
      'collectionNames.slice(0, 3).some(',
      'let nothing be removed that apiKeys refer to by userId',
    ],
    [
      'a second live payment',
      "of === 'payments' && ",
      'false && ',
      'let an order have one live payment, and any number that have failed',
    ],
    [
      'a failed payment that counts as live',
      " && other.status !== 'failed'",
      '',
      'let an order have one live payment, and any number that have failed',
    ],
    [
      'a failed payment that is rejected',
      "status !== 'failed' &&\n",
      '',
      'let an order have one live payment, and any number that have failed',
    ],
    [
      'a payment in conflict with itself',
      'other.id !== id && other.status',
      'other.status',
      'return what was stored, in every status',
    ],
  ]),
  ...faultsOf('memory', 'memory/rows.ts', [
    [
      'own changes that no constraint sees',
      'if (row && row[field as keyof T] === value) found.push(row);',
      '',
    ],
    [
      'removed rows that constraints see',
      '.filter((key) => !changes?.has(key))',
      '',
      'let an sku be used again once it is free, and any number of products have none',
    ],
    [
      'an index that keeps old values',
      'else this.#removeFromIndexes(key, before);',
      '',
      'let an sku be used again once it is free, and any number of products have none',
    ],
    [
      'own changes that are not seen',
      'this.#changes?.has(key) ? this.#changes.get(key) : this',
      'this',
      'can be removed and added anew in one unit of work',
    ],
    [
      'own changes that are not listed',
      'if (changes === undefined) {',
      'if (changes !== null) {',
      'are found, locked and listed by itself as soon as they are made',
    ],
    [
      'own changes listed in the order of the calls',
      '.sort(([one], [other]) => (one < other ? -1 : 1))',
      '',
      'are listed together with what was committed, in ascending order of id',
    ],
    [
      'own changes listed twice',
      'if (!changes.has(key)) yield row;',
      'yield row;',
      'are listed together with what was committed, in ascending order of id',
    ],
    [
      'removed rows that are committed',
      'if (row === undefined) this.#committed.delete(key);',
      'if (row === undefined) continue;',
      'can be replaced and removed by the unit of work that locks them',
    ],
    ['a cursor that is shown again', '=== key ? index + 1 : index', '=== key ? index : index'],
    [
      'rows in the order of their commits',
      'this.#keys.splice(this.#indexOf(key), 0, key)',
      'this.#keys.push(key)',
      'ascend by id, in any order of insertion',
    ],
  ]),
  ...faultsOf('memory', 'memory/idempotency-keys.ts', [
    [
      'a key that is added twice',
      'if (this.#draft.get(key) !== undefined)',
      'if (false)',
      'let no idempotency key be added twice, and none be saved that does not exist',
    ],
    [
      'a key that is saved and was never added',
      'if (this.#draft.get(key) === undefined)',
      'if (false)',
      'let no idempotency key be added twice, and none be saved that does not exist',
    ],
    [
      'one key for all users',
      '{userId} ',
      "{userId && ''} ",
      'are found as they were added, and by no other key or user',
    ],
    [
      'a purge of keys whose lease runs',
      ' && leaseOf(record) === null)',
      ')',
      'are deleted when they were created at the instant or before, but never while a process is under way',
    ],
    [
      'a purge of keys that are still valid',
      'record.createdAt <= createdBefore',
      'record.createdAt !== null',
      'are deleted in batches, however many they are, and none created later is',
    ],
    [
      'leases that have not passed',
      ' && hasPassed(lease, now))',
      ')',
      'are stale when both instants have passed, the longest idle first',
    ],
    [
      'a lease from a clock that was set back',
      ' || time > latest',
      '',
      'are stale, too, when their times are implausibly late',
    ],
  ]),
  ...faultsOf('memory', 'retry.ts', [
    ['a retry of an unknown commit', 'if (!(error instanceof ConcurrencyConflict)) throw error;', ''],
    [
      'a retry after the deadline',
      'throwIfExpired(deadline);',
      'if (attempt === 1) throwIfExpired(deadline);',
    ],
    ['a start after the deadline', 'throwIfExpired(deadline);', 'if (attempt > 1) throwIfExpired(deadline);'],
    [
      'a conflict that is retried too few times',
      '(attempt === maxAttempts)',
      '(attempt === maxAttempts - 1)',
    ],
  ]),
  ...faultsOf('sqlite', 'retry.ts', [
    ['a lasting violation that is retried as a race', 'if (isLasting(last, error))', 'if (false)'],
    [
      'a violation that is never retried',
      'if (!(error instanceof ConcurrencyConflict)) throw error;',
      'if (!(error instanceof ConcurrencyConflict) || error instanceof ConstraintRace) throw error;',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/errors.ts', [
    [
      'a missing reference that is retried as a conflict',
      'return referenceError(error);',
      'return new ConcurrencyConflict(error.message, error);',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/unit-of-work.ts', [
    [
      'a conflict that is not retried',
      'retryOnConflict(() => this.#writes.run(task, { deadline }), deadline)',
      'this.#writes.run(task, { deadline })',
    ],
    ['a commit after the deadline', 'run(task, { deadline })', 'run(task, {})'],
    ['a read after the deadline', 'throwIfExpired(deadlineOf(context));', ''],
  ]),
  ...faultsOf('sqlite', 'sqlite/open.ts', [
    ['a dirty read', 'new SqliteConnection(reader)', 'new SqliteConnection(writer)'],
  ]),
  ...faultsOf('sqlite', 'sqlite/unit-session.ts', [
    ['a lost rollback', 'if (this.#hasChanged) this.#connection.rollback();', ''],
    ['a commit after a rejected change', 'if (this.#failure !== undefined) throw this.#failure.error;', ''],
    ['an unchecked row count', 'if (changed < expectedRows)', 'if (changed < 0)'],
    ['a change after the end', 'if (this.#hasEnded) return', 'if (false) return'],
  ]),
  ...faultsOf('sqlite', 'sqlite/write-queue.ts', [
    ['a member that is committed after its deadline', 'members.some(isExpired)', 'false'],
    [
      'members that are settled without their commit',
      'if (!this.#connection.isInTransaction) {',
      'if (false) {',
    ],
    ['a conflict that others have caused', 'else if (members.length > 0)', 'else if (false)'],
    ['changes of an evicted unit', 'session.rollback();\n        void', 'void'],
    [
      'an evicted unit that runs twice at once',
      'running.then(() => this.#runAlone(unit))',
      'this.#runAlone(unit)',
    ],
    [
      'a unit that waits and holds up the others',
      'isAlone ? running : Promise.race',
      'true ? running : Promise.race',
    ],
  ]),
  ...faultsOf('postgres', 'postgres/dialect.ts', [
    ['a write before its lock: a lock that only reads', 'select.forNoKeyUpdate()', 'select'],
    ['a lock that references wait for', 'select.forNoKeyUpdate()', 'select.forUpdate()'],
    ['a lock that is shared', 'select.forNoKeyUpdate()', 'select.forShare()'],
    ['an unchecked count', 'portico_require(count', 'portico_require(true or count'],
  ]),
  ...faultsOf('postgres', 'postgres/transaction.ts', [
    ['a commit after the deadline', '...last, ...this.#timeCheck, commit', '...last, commit'],
    ['a write without a transaction', 'begin: this.#connections.begin }', 'begin: [] }'],
  ]),
  ...faultsOf('postgres', 'postgres/unit-session.ts', [
    ['a read that misses its own writes', 'this.#writes.isPending(table)', 'false'],
    ['a read that sees writes behind it', 'needsWrites ? this.#openExchange() : (', '('],
    [
      'a statement of its own that sees no writes',
      'push(...this.#writes.flush());\n    // What',
      'push();\n    // What',
    ],
    [
      'reads before locks',
      '[...exchange.locks, ...exchange.reads]',
      '[...exchange.reads, ...exchange.locks]',
    ],
    ['a lock without a transaction', 'writes.length > 0 || locks.length > 0 ||', 'writes.length > 0 ||'],
  ]),
  ...faultsOf('postgres', 'postgres/unit-of-work.ts', [
    [
      'a lost rollback',
      'await transaction.rollback(error);',
      'await transaction.commit([]).catch(() => undefined);',
    ],
    ['a commit that is not sent', 'if (!session.hasChanged)', 'if (true)'],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/unit-session.ts', [
    ['work that goes on after its end', 'this.#hasEnded = true;', ''],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/group-commit.ts', [
    ['an error that is given to all', 'isOutcomeKnown(error) :', 'false :'],
    ['a retry of an unknown commit', 'isOutcomeKnown(error) :', 'true :'],
    ['a member that holds up all groups', '[limitLockWait, ...statements]', '[...statements]'],
    ['an only member that is unavailable for its lock', ': isLockTimeout(error)', ': false'],
    ['the deadline of another member', 'Math.min(', 'Math.max('],
    ['a group that fails for a member that is late already', '.filter(isInTime)', ''],
    ['a group that is never counted as ended', 'this.#inFlight -= 1;', ''],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/unit-session.ts', [
    [
      'a failure that work can catch',
      'await this.#last;\n    if (this.#failure !== undefined)',
      'await this.#last;\n    if (false)',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/unit-of-work.ts', [
    ['a connection that a failure does not give back', 'await transaction.rollback(error);', 'void error;'],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/idempotency-partitions.ts', [
    [
      'an insert of a key without its look-up',
      'builder.selectFrom(name),\n              ),',
      "builder.selectFrom(name).where('part', 'is', null),\n              ),",
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/connection/cancel.ts', [
    [
      'a connection that is left in a failed transaction',
      "if (outcome !== 'usable')",
      "if (isCommit || outcome !== 'usable')",
    ],
    ['a commit that is cancelled', 'if (!isCommit && !', 'if (!'],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/connection/pool.ts', [
    [
      'a slot that is lost with its connection',
      'if (this.#inTransaction.delete(client)) this.#transactionSlots.release();',
      '',
    ],
    [
      'a slot that is lost with a connection that is not free',
      'this.#transactionSlots.release();\n      throw error;',
      'throw error;',
    ],
  ]),
  ...faultsOf('PostgreSQL alone', 'postgres/connection/transaction-slots.ts', [
    ['units that leave no connection for reads', 'poolSize - connectionsForReads', 'poolSize'],
  ]),
];
