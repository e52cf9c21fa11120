import { posix } from 'node:path';
import type { Fault } from './plant.ts';

/** The tests that hold the promises of a store or a payment provider. */
export interface Selection {
  /** Where the files with the faults are, from the root of the repository. By default with the stores. */
  readonly folder?: string;
  readonly files: readonly string[];
  /** Regular expression for the beginning of the full titles of these tests. */
  readonly prefix: string;
  /** The server that is started for them. */
  readonly server?: 'PostgreSQL' | 'MariaDB';
}

type StoreTests = 'port' | 'memory' | 'sqlite' | 'postgres' | 'PostgreSQL alone' | 'mariadb';

export type SelectionName = StoreTests | 'sandbox' | 'stripe' | 'reconciliation' | 'webhooks';

/** A fault, with the promise that it breaks. */
export interface Mutant extends Fault {
  readonly tests: SelectionName;
  /** The title of the test that must fail. It runs alone, so no other can fail in its place. */
  readonly promise: string;
  /**
   * Whether the promise is about waiting, so that its test fails because it takes too long. Of any other promise a timeout proves
   * nothing: the machine may have been slow.
   */
  readonly hangs: boolean;
}

const contract = (name: string): string => `test/contracts/${name}.test.ts`;
const providers = 'test/contracts/payment-providers.test.ts';
const inApplication = (name: string): string => `test/application/${name}.test.ts`;
const inSqlite = (name: string): string => `test/adapters/persistence/sqlite/${name}.test.ts`;
const inPostgres = (name: string): string => `test/adapters/persistence/postgres/${name}.store.test.ts`;

export const selections: Readonly<Record<SelectionName, Selection>> = {
  // The suites loop over the constraints, so another source must notice that one is missing.
  port: { files: ['test/adapters/persistence/schema.store.test.ts'], prefix: 'The migrations ' },
  memory: { files: [contract('persistence'), contract('persistence.store')], prefix: 'memory: ' },
  sqlite: {
    files: [
      contract('persistence'),
      contract('persistence.store'),
      inSqlite('group-commit'),
      inSqlite('sqlite'),
    ],
    prefix: '(SQLite: |SQLite (?!in memory: )|Group commit on SQLite )',
  },
  postgres: { files: [contract('postgres.store')], prefix: 'PostgreSQL: ', server: 'PostgreSQL' },
  'PostgreSQL alone': {
    files: [
      'unit-of-work',
      'group-commit',
      'idempotency-partitions',
      'failures-at-commit',
      'connection-errors',
    ].map(inPostgres),
    prefix: '',
    server: 'PostgreSQL',
  },
  mariadb: {
    files: [contract('mariadb.store'), 'test/adapters/persistence/mariadb/mariadb.store.test.ts'],
    prefix: 'MariaDB (keeps the contracts MariaDB: |(?!keeps the contracts ))',
    server: 'MariaDB',
  },
  sandbox: {
    folder: 'adapters/payment/sandbox',
    files: [providers],
    prefix: 'The sandbox keeps the contract of ',
  },
  stripe: {
    folder: 'adapters/payment/stripe',
    files: [providers],
    prefix: 'With a provider behind a socket Stripe keeps the contract of ',
  },
  reconciliation: {
    folder: 'application',
    files: [
      'reconciliation/disputes',
      'reconciliation/mismatches',
      'payments/external-captures',
      'reconciliation/external-refunds',
      'reconciliation/manual-resolution',
    ].map(inApplication),
    prefix: '',
  },
  webhooks: {
    folder: 'application/webhooks',
    files: [inApplication('webhooks/enqueue-deliveries')],
    prefix: 'Events are enqueued for an endpoint ',
  },
};

/** Regular expression for the full titles of the tests of promises. */
export const titlesOf = (tests: SelectionName, promises: readonly string[]): string =>
  `^${selections[tests].prefix}(.* )?(${promises.map(RegExp.escape).join('|')})$`;

/** @returns those promises that not exactly one of these tests holds */
export const promisesWithoutTest = (
  tests: SelectionName,
  promises: readonly string[],
  titles: readonly string[],
): string[] =>
  promises.filter((promise) => {
    const own = new RegExp(titlesOf(tests, [promise]));
    return titles.filter((title) => own.test(title)).length !== 1;
  });

type FaultWithPromise = readonly [
  name: string,
  text: string,
  replacement: string,
  promise: string,
  hangs?: 'hangs',
];

/** Faults of one file, by its path from the folder of its selection. */
export const faultsOf = (tests: SelectionName, file: string, faults: readonly FaultWithPromise[]): Mutant[] =>
  faults.map(([name, text, replacement, promise, hangs]) => ({
    name,
    file: posix.join(selections[tests].folder ?? 'adapters/persistence', file),
    text,
    replacement,
    tests,
    promise,
    hangs: hangs !== undefined,
  }));
