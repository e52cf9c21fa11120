import { parseArgs } from 'node:util';
import { type ChaosDatabase, chaosDatabases as databases } from './test-database.ts';

export interface Arguments {
  readonly kills: number;
  readonly seed: number;
  readonly database: ChaosDatabase;
}

export const usage = `Usage: npm run chaos -- [--kills N] [--seed S] [--database ${databases.join('|')}]

Kills servers in the middle of payments, captures, refunds and erasures, starts them again, and counts what went wrong. Meanwhile payers
consent, banks decide, and merchants and payers take money back at the provider; connections to the database
are cut. Of galera, nodes are killed and frozen instead, and now and then all are killed.

  --kills N       how many times a server is killed (default 200)
  --seed S        what all choices come from; the times at which things happen are the machine's (default 1)
  --database D    ${databases.join(' or ')} (default sqlite)
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
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const database = databases.find((name) => name === values.database);
  if (database === undefined) throw new Error(`--database takes ${databases.join(' or ')}.`);
  return { kills: wholeNumber('--kills', values.kills), seed: wholeNumber('--seed', values.seed), database };
};

const wholeNumber = (name: string, text: string): number => {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text)) return number;
  throw new Error(`${name} takes a whole number from 0 to 999999999.`);
};
