/** Tests that must notice a mutant. */
export interface Selection {
  readonly files: readonly string[];
  /** Regular expression for the full titles of the tests to run. */
  readonly titles: string;
  /** Whether a PostgreSQL server is started for them. */
  readonly needsPostgres?: true;
}

type Store = 'memory' | 'sqlite' | 'postgres';

/** A fault, planted by replacing one text of one file. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Must stand in the file exactly once. */
  readonly text: string;
  readonly replacement: string;
  readonly tests: Store;
}

const contract = 'test/contracts/persistence.test.ts';

export const selections: Readonly<Record<Store, Selection>> = {
  memory: { files: [contract], titles: '^memory:' },
  sqlite: { files: [contract, 'test/adapters/persistence/sqlite/group-commit.test.ts'], titles: 'SQLite' },
  postgres: { files: [contract], titles: '^PostgreSQL:', needsPostgres: true },
};

const persistence = 'adapters/persistence';
const memory = { file: `${persistence}/memory/unit-of-work.ts`, tests: 'memory' } as const;
const sqlite = { file: `${persistence}/sqlite/unit-of-work.ts`, tests: 'sqlite' } as const;
const sqliteSession = {
  file: `${persistence}/sqlite/group-commit/guarded-session.ts`,
  tests: 'sqlite',
} as const;
const retry = { file: `${persistence}/retry.ts`, tests: 'memory' } as const;
const postgres = { file: `${persistence}/postgres/unit-of-work.ts`, tests: 'postgres' } as const;

export const mutants: readonly Mutant[] = [
  {
    ...memory,
    name: 'a lost rollback',
    text: 'await work(repositories);',
    replacement: 'await work(repositories).finally(commit);',
  },
  {
    ...memory,
    name: 'a commit after a rejected change',
    text: 'if (failure !== undefined) throw failure;',
    replacement: '',
  },
  {
    ...memory,
    name: 'a commit after the deadline',
    text: 'throwIfExpired(deadline);\n    commit();',
    replacement: 'commit();',
  },
  {
    ...memory,
    name: 'a read after the deadline',
    text: 'throwIfExpired(deadlineOf(context));',
    replacement: '',
  },
  {
    ...memory,
    name: 'a write before its lock: units of work that do not wait for each other',
    text: 'this.#last.then(() => retry',
    replacement: 'Promise.resolve().then(() => retry',
  },
  {
    ...memory,
    name: 'a commit of some of the changes',
    text: 'for (const pending of drafts)',
    replacement: 'for (const pending of drafts.slice(1))',
  },
  {
    ...retry,
    name: 'a retry of an unknown commit',
    text: 'if (!(error instanceof ConcurrencyConflict)) throw error;',
    replacement: '',
  },
  {
    ...retry,
    name: 'a retry after the deadline',
    text: '    throwIfExpired(deadline);\n    try {',
    replacement: '    try {',
  },
  {
    ...retry,
    name: 'a start after the deadline',
    text: '  throwIfExpired(deadline);\n  try {',
    replacement: '  try {',
  },
  {
    ...retry,
    name: 'a conflict that is retried too few times',
    text: 'if (attempt === maxAttempts)',
    replacement: 'if (attempt === maxAttempts - 1)',
  },
  {
    ...sqlite,
    name: 'a conflict that is not retried',
    text: 'retryOnConflict(() => this.#writes.run(task, { deadline }), deadline)',
    replacement: 'this.#writes.run(task, { deadline })',
  },
  {
    ...sqlite,
    name: 'a commit after the deadline',
    text: 'run(task, { deadline })',
    replacement: 'run(task, {})',
  },
  {
    ...sqlite,
    name: 'a read after the deadline',
    text: 'throwIfExpired(deadlineOf(context));',
    replacement: '',
  },
  {
    ...sqlite,
    name: 'a dirty read',
    text: 'sqliteReadSession(reader)',
    replacement: 'sqliteReadSession(writer)',
  },
  {
    ...sqliteSession,
    name: 'a lost rollback',
    text: 'if (this.#hasChanges) this.#connection.rollback();',
    replacement: '',
  },
  {
    ...sqliteSession,
    name: 'a commit after a rejected change',
    text: 'if (this.#failure !== undefined) throw this.#failure.error;',
    replacement: '',
  },
  {
    ...sqliteSession,
    name: 'an unchecked row count',
    text: 'if (changed < expectedRows)',
    replacement: 'if (changed < 0)',
  },
  {
    ...postgres,
    name: 'a write before its lock: a lock that only reads',
    text: "forUpdate: ' for update'",
    replacement: "forUpdate: ''",
  },
];
