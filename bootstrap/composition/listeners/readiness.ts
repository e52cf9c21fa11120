import type { Store } from '#adapters/persistence/store.ts';
import { withTimeout } from '#adapters/support/timeout.ts';
import { version } from '../../process/version.ts';

/** How long the database may take to report its schema. */
const schemaTimeoutMs = 1_500;

/**
 * The name of a contract migration, which removes what versions before the named one need:
 * `2027-01-31-contract-since-0.3.0-nicknames`. All other migrations only add (expand and contract).
 */
const contractMigration = /^[\d-]+-contract-since-(\d+)\.(\d+)\.(\d+)-/;

/** Whether an unknown migration, which a later version has applied, is a contract that breaks this version. */
const breaks = (version: string, migration: string): boolean => {
  const since = contractMigration.exec(migration)?.slice(1).map(Number);
  if (since === undefined) return false;
  const own = version.split('.').map((part) => Number.parseInt(part, 10));
  const differing = since.findIndex((part, index) => part !== own[index]);
  return differing >= 0 && (own[differing] ?? 0) < (since[differing] ?? 0);
};

/**
 * Why the service is not ready, in a line; undefined when it is. A schema newer than this version is ready, as during a
 * rolling upgrade, unless a contract migration has removed what this version needs.
 * @param isStopping whether the shutdown has begun
 * @param report gets the error when the database does not respond
 * @param own the version of this process
 */
export const readiness = (
  { schema }: Pick<Store, 'schema'>,
  isStopping: () => boolean,
  report: (error: unknown) => void,
  own = version,
): (() => Promise<string | undefined>) => {
  // Concurrent checks share one query, so that a database that hangs does not collect them.
  let checking: Promise<string | undefined> | undefined;

  const checkSchema = async (): Promise<string | undefined> => {
    try {
      const { pending, unknown, problem } = await schema();
      if (problem !== undefined) return problem;
      const breaking = unknown.filter((name) => breaks(own, name));
      if (pending.length > 0) return `migrations are pending: ${pending.join(', ')}`;
      return breaking.length > 0 ? `the database is for a later version: ${breaking.join(', ')}` : undefined;
    } catch (error) {
      report(error);
      return unavailable;
    } finally {
      checking = undefined;
    }
  };

  return async () => {
    if (isStopping()) return 'stopping';
    checking ??= checkSchema();
    return withTimeout(schemaTimeoutMs, checking, unavailable);
  };
};

const unavailable = 'the database does not respond';
