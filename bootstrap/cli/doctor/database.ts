import type { Inspection } from '#adapters/persistence/store.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import { inspectStore } from '../../composition/ports/open-store.ts';
import { isPersistent, storeKindOf } from '../../composition/ports/store-kind.ts';
import type { Database } from '../../config/database.ts';
import { errorLines, grantTablesAdvice } from '../error-messages.ts';

const database = findingsFor('database');
const migrations = findingsFor('migrations');
const clock = findingsFor('clock');
const replica = findingsFor('replica');

/** Bounds the difference between the two clocks that needs no attention. */
const maxClockDifferenceMs = 5_000;

const restoreRemedy = 'Stop Portico, move the file away, and restore a backup with portico restore.';

/** Whether the database is reachable, its tables are up to date, and its clock agrees with this machine's. */
export const checkDatabase = async (
  settings: Database,
  inspect = inspectStore,
): Promise<readonly Finding[]> => {
  if (!isPersistent(settings)) {
    const remedy = 'Set DATABASE_URL to keep data when the server ends.';
    return [database.warn('all data is kept in memory', remedy)];
  }
  const { hasOwnClock, product, inspectReplica } = storeKindOf(settings);
  try {
    const inspection = await inspect(settings);
    if (inspection === undefined) {
      return [
        database.ok(`${placeOf(settings)} opens the database. It exports no inspectStore to check it.`),
      ];
    }
    if (inspection.problem !== undefined) {
      const { problem, remedy = restoreRemedy } = inspection;
      return [database.fail(`${placeOf(settings)} ${problem}`, remedy)];
    }
    const status = inspection.exists ? 'is reachable' : 'is empty until the first start';
    return [
      database.ok(`${inspection.product} at ${placeOf(settings)} ${status}`),
      checkMigrations(inspection),
      hasOwnClock
        ? compareClocks(inspection.now, Date.now())
        : clock.ok(`${product} uses this machine's clock`),
      ...(inspectReplica ? await checkReplicas(settings.replicas, inspectReplica) : []),
    ];
  } catch (error) {
    const remedy =
      settings.file === undefined
        ? 'Check that the server is running, and the user, password and database in DATABASE_URL.'
        : 'Set DATABASE_URL to a Portico database, or to a file that does not exist yet.';
    const reason = errorLines(error)
      .join('\n')
      .replace(/^DATABASE_URL.*?: /, '');
    return [database.fail(`${placeOf(settings)} cannot be used: ${reason}`, remedy)];
  }
};

const placeOf = ({ file, url, module }: Database): string => file ?? module?.file ?? serverOf(url);

/** Without the user and the password. */
const serverOf = (url: string): string => {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
};

/** Only warnings: Portico serves from the primary while a replica is unavailable. */
const checkReplicas = (
  urls: readonly string[] = [],
  inspect: (url: string) => Promise<string | undefined>,
): Promise<readonly Finding[]> =>
  Promise.all(
    urls.map(async (url) => {
      const reason = await inspect(url);
      return reason === undefined
        ? replica.ok(`${serverOf(url)} is a replica`)
        : replica.warn(
            `${serverOf(url)} is not used: ${reason}`,
            'The primary serves its reads. Check that the replica is running and follows the primary.',
          );
    }),
  );

const checkMigrations = ({ applied, pending, unknown, mayCreate = true }: Inspection): Finding => {
  if (unknown.length > 0) {
    const message = `applied by a later version of Portico: ${unknown.join(', ')}`;
    return migrations.warn(message, 'Upgrade to that version.');
  }
  if (pending.length > 0 && !mayCreate) {
    const message = `pending, and the user in DATABASE_URL may not create tables: ${pending.join(', ')}`;
    return migrations.fail(message, grantTablesAdvice);
  }
  if (applied.length > 0 && pending.length > 0) {
    const remedy = 'Back up the database. Then start Portico, or run portico migrate up.';
    return migrations.warn(`pending: ${pending.join(', ')}`, remedy);
  }
  return migrations.ok(
    pending.length > 0 ? 'the first start creates the tables' : 'the tables are up to date',
  );
};

/**
 * Portico uses the database's time; certificates and the payment provider go by this machine's.
 * @param databaseTime in milliseconds since 1970, as is `machineTime`
 */
export const compareClocks = (databaseTime: number, machineTime: number): Finding => {
  const difference = Math.abs(databaseTime - machineTime);
  if (difference <= maxClockDifferenceMs) {
    return clock.ok('the database and this machine agree on the time');
  }
  const direction = machineTime > databaseTime ? 'ahead of' : 'behind';
  return clock.warn(
    `this machine is ${Math.round(difference / 1000)} seconds ${direction} the database`,
    'Synchronize both clocks by NTP. Portico uses the time of the database.',
  );
};
