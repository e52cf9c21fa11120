import type { Inspection } from '#adapters/persistence/store.ts';
import { inspectStore } from '../../composition/inspect-store.ts';
import type { Database } from '../../config/database.ts';
import { grantTables, reasonFor } from '../error-messages.ts';
import { type Finding, findingsOf } from './finding.ts';

const database = findingsOf('database');
const migrations = findingsOf('migrations');
const clock = findingsOf('clock');
const replica = findingsOf('replica');

/** By how much two clocks may differ before somebody should look, in milliseconds. */
const tolerance = 5_000;

/** Whether it can be reached, how far its tables are, and whether its time is this machine's. */
export const checkDatabase = async (kept: Database): Promise<readonly Finding[]> => {
  if (kept.kind === 'memory' || kept.url === 'sqlite::memory:') {
    return [
      database.warn(
        'everything is kept in memory',
        'Set DATABASE_URL to keep what is there when the server ends.',
      ),
    ];
  }
  try {
    const inspection = await inspectStore(kept);
    const found = inspection.exists ? 'answers' : 'is empty yet; the first start makes it';
    return [
      database.ok(`${inspection.product} at ${placeOf(kept)} ${found}`),
      migrationsIn(inspection),
      kept.kind === 'postgres'
        ? clocks(inspection.now, Date.now())
        : clock.ok("SQLite goes by this machine's time, so there are no two to differ"),
      ...(kept.kind === 'postgres' ? await Promise.all((kept.replicas ?? []).map(replicaAt)) : []),
    ];
  } catch (error) {
    const remedy =
      kept.kind === 'postgres'
        ? 'See that the server runs there, and that user, password and database in DATABASE_URL are right.'
        : 'See that DATABASE_URL names a database of Portico, or a file that is not there yet.';
    return [
      database.fail(
        `${placeOf(kept)} cannot be used: ${reasonFor(error)
          .join('\n')
          .replace(/^DATABASE_URL.*?: /, '')}`,
        remedy,
      ),
    ];
  }
};

const placeOf = (kept: Exclude<Database, { kind: 'memory' }>): string =>
  kept.kind === 'sqlite' ? kept.file : serverAt(kept.url);

/** Without the user and the password. */
const serverAt = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** One that is away keeps nobody from serving. */
const replicaAt = async (url: string): Promise<Finding> => {
  const { inspectReplica } = await import('#adapters/persistence/postgres/inspect.ts');
  const wrong = await inspectReplica(url);
  return wrong === undefined
    ? replica.ok(`${serverAt(url)} follows another server`)
    : replica.warn(
        `${serverAt(url)} is left out: ${wrong}`,
        'The primary answers in its place. See that the replica runs and follows it.',
      );
};

const migrationsIn = ({ applied, pending, unknown, mayCreate = true }: Inspection): Finding => {
  if (unknown.length > 0) {
    const names = unknown.join(', ');
    return migrations.warn(
      `a later version of Portico has changed the tables (${names})`,
      'Run that version.',
    );
  }
  if (pending.length > 0 && !mayCreate) {
    const says = `not applied yet, and the user in DATABASE_URL may make no tables: ${pending.join(', ')}`;
    return migrations.fail(says, grantTables);
  }
  if (applied.length > 0 && pending.length > 0) {
    const remedy = 'The next start applies them, or portico migrate up does. Make a copy before.';
    return migrations.warn(`not applied yet: ${pending.join(', ')}`, remedy);
  }
  return migrations.ok(pending.length > 0 ? 'the first start makes the tables' : 'the tables are up to date');
};

/** Portico goes by the database's time; certificates and the provider by this machine's. */
export const clocks = (there: number, here: number): Finding => {
  const seconds = Math.round(Math.abs(there - here) / 1000);
  return Math.abs(there - here) <= tolerance
    ? clock.ok("this machine's time is the database's")
    : clock.warn(
        `this machine is ${seconds} seconds ${here > there ? 'ahead of' : 'behind'} the database`,
        'Let both be set by NTP. Portico goes by the time of the database.',
      );
};
