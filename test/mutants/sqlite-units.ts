import { faultsOf, type Mutant } from './mutant.ts';

/** Faults of the units of work on SQLite, and of their group commit. */
export const sqliteUnitMutants: readonly Mutant[] = [
  ...faultsOf('sqlite', 'sqlite/unit-of-work.ts', [
    [
      'a conflict that is not retried',
      'retryOnConflict(() => writes.run(task, { deadline }), deadline)',
      'writes.run(task, { deadline })',
      'are retried when they save over a newer version (optimistic concurrency)',
    ],
    [
      'a commit after the deadline',
      'run(task, { deadline })',
      'run(task, {})',
      'commits nothing after it, and does not affect others',
    ],
    [
      'a read after the deadline',
      'throwIfExpired(deadlineOf(context));',
      '',
      'does not start after it, nor does a read',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/unit-session.ts', [
    [
      'a lost rollback',
      'if (this.#hasChanged) this.#connection.rollback();',
      '',
      'rolls back when its work throws, and throws the same error',
    ],
    [
      'a commit after a rejected change',
      'if (this.#failure !== undefined) throw this.#failure.error;',
      '',
      'rolls back after a rejected change, even if the work catches the error',
    ],
    [
      'an unchecked row count',
      'if (changed < expectedRows)',
      'if (changed < 0)',
      'are rejected when two save one version, although both are its own',
    ],
    [
      'a change after the end',
      'if (this.#hasEnded) return',
      'if (false) return',
      'change nothing by a call that comes after they have ended, whether they committed or failed',
    ],
  ]),
  ...faultsOf('sqlite', 'sqlite/write-queue.ts', [
    [
      'a member that is committed after its deadline',
      'members.some(isExpired)',
      'false',
      'commits nothing after it when the event loop was blocked meanwhile',
    ],
    [
      'members that are settled without their commit',
      'if (!this.#connection.isInTransaction) {',
      'if (false) {',
      'commits nothing after it when the event loop was blocked meanwhile',
    ],
    [
      'a conflict that others have caused',
      'else if (members.length > 0)',
      'else if (false)',
      'runs a unit of work that fails after a change again alone, because another one may have caused its error',
    ],
    [
      'changes of an evicted unit',
      'session.rollback();\n        void',
      'void',
      'commits nothing after it, and does not affect others',
    ],
    [
      'an evicted unit that runs twice at once',
      'running.then(() => this.#runAlone(unit))',
      'this.#runAlone(unit)',
      'is not run again after it, whatever the conflict',
    ],
    [
      'a unit that waits and holds up the others',
      'isAlone ? running : Promise.race',
      'true ? running : Promise.race',
      'does not wait for a unit of work that waits for something else, which then runs again alone',
      'hangs',
    ],
    [
      'a result before its commit',
      'if (this.#connection.isInTransaction) members.push(member);',
      'if (this.#connection.isInTransaction) { member.settle(); members.push(member); }',
      'acknowledges writes once all of the batch is visible to other connections',
    ],
    [
      'an error of the commit that is kept from the members',
      'for (const { unit } of members) this.#settle(() => unit.reject(error));',
      'for (const { settle } of members) this.#settle(settle);',
      'rejects the whole batch when the commit fails, including units of work that had failed already',
    ],
    [
      'a batch without a bound',
      'const maxSize = isAlone ? 1 : maxBatchSize;',
      'const maxSize = isAlone ? 1 : 10_000;',
      'bounds the size of a batch, and commits the rest in the next',
    ],
    [
      'a wait for the lock that outlasts the deadline',
      'throwIfExpired(deadline);',
      '',
      'waits for the write lock of another process until its deadline, and no longer',
    ],
    [
      'a durable unit that shares a commit that does not wait for the disk',
      'isAlone: !isDurable,',
      'isAlone: false,',
      'commits nothing that must survive a power loss together with what does not wait for the disk',
    ],
  ]),
];
