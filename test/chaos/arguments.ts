import { parseArgs } from 'node:util';
import { wholeNumber } from '../lab/command-line.ts';
import { type ChaosDatabase, chaosDatabases as databases } from './disturbed-database.ts';

export interface Arguments {
  readonly kills: number;
  readonly seed: number;
  readonly database: ChaosDatabase;
  readonly atSystemCalls: boolean;
  /** Whether a reader of the feed and receivers of webhooks follow, and are killed too. */
  readonly events: boolean;
  /** Whether fewer clients pause longer. */
  readonly light: boolean;
  /** Parts of the names of those that are wanted, separated by commas. */
  readonly operations: string | undefined;
}

export const usage = `Usage: npm run chaos -- [--kills N] [--seed S] [--database ${databases.join('|')}] [--events] [--light]

Kills servers in the middle of payments, captures, refunds and erasures, starts them again, and counts what went wrong. Meanwhile payers
consent, banks decide, and merchants and payers take money back at the provider; connections to the database
are cut. Of galera, nodes are killed and frozen instead, and now and then all are killed.

  --kills N       how many times a server is killed (default 200)
  --seed S        what all choices come from; the times at which things happen are the machine's (default 1)
  --database D    ${databases.join(' or ')} (default sqlite)
  --events        a reader follows the feed, and is killed too; so do receivers of webhooks that are slow, fail, close or die.
                  PostgreSQL has two servers, and SQLite one; other databases have no --events
  --light         three clients instead of five, which pause four times as long, as do kills of readers and
                  receivers: more kills of servers in the same time
  --at-system-calls
                  kills one server before each system call of each operation instead, at most N for an operation, and lets files
                  fail. It needs strace
  --operations O  only operations with O in their name, or with one of several that are separated by commas
  --help          shows this

It ends with 1 when there was any violation. TEST_POSTGRES_URL names a PostgreSQL to use instead of one of its own.
`;

/** @returns undefined for --help. @throws Error, with a message for the command line */
export const readArguments = (given: readonly string[]): Arguments | undefined => {
  const { values } = parseArgs({
    args: [...given],
    options: {
      kills: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      database: { type: 'string', default: 'sqlite' },
      'at-system-calls': { type: 'boolean', default: false },
      events: { type: 'boolean', default: false },
      light: { type: 'boolean', default: false },
      operations: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const database = databases.find((name) => name === values.database);
  if (database === undefined) throw new Error(`--database takes ${databases.join(' or ')}.`);
  if (values.events && database !== 'sqlite' && database !== 'postgres')
    throw new Error('--events takes a database that is sqlite or postgres.');
  return {
    kills: wholeNumber('--kills', values.kills),
    seed: wholeNumber('--seed', values.seed),
    database,
    atSystemCalls: values['at-system-calls'],
    events: values.events,
    light: values.light,
    operations: values.operations,
  };
};
