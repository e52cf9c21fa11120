import type { Store } from '#adapters/persistence/store.ts';
import { withTimeout } from '#adapters/support/timeout.ts';
import { version } from '../process/version.ts';

/** How long the database may take to answer, in milliseconds. */
const patience = 1_500;

/**
 * Changes of the schema of this name take away what versions before that one need: `0042-contract-since-0.3.0-nicknames`.
 * All others only add to it.
 */
const contract = /^\d+-contract-since-(\d+)\.(\d+)\.(\d+)-/;

/** Whether that change, which a later version has made, has taken something from this one. */
const isAgainst = (version: string, name: string): boolean => {
  const since = contract.exec(name)?.slice(1).map(Number);
  if (since === undefined) return false;
  const own = version.split('.').map((part) => Number.parseInt(part, 10));
  const differing = since.findIndex((part, index) => part !== own[index]);
  return differing >= 0 && (own[differing] ?? 0) < (since[differing] ?? 0);
};

/**
 * Why the service cannot do its work now, in a line; undefined when it can. A schema that is newer than this version is
 * no reason, for that is how versions take turns, unless it lacks what this one needs.
 * @param isStopping whether the end has been announced
 * @param own the version that this one is
 */
export const readiness = (
  { schema }: Pick<Store, 'schema'>,
  isStopping: () => boolean,
  report: (error: unknown) => void,
  own = version,
): (() => Promise<string | undefined>) => {
  // However many ask, a database that does not answer is asked by one of them.
  let asking: Promise<string | undefined> | undefined;

  const ask = async (): Promise<string | undefined> => {
    try {
      const { pending, unknown } = await schema();
      const foreign = unknown.filter((name) => isAgainst(own, name));
      if (pending.length > 0) return `migrations are pending: ${pending.join(', ')}`;
      return foreign.length > 0 ? `the database is for a later version: ${foreign.join(', ')}` : undefined;
    } catch (error) {
      report(error);
      return away;
    } finally {
      asking = undefined;
    }
  };

  return async () => {
    if (isStopping()) return 'stopping';
    asking ??= ask();
    return withTimeout(patience, asking, away);
  };
};

const away = 'the database does not answer';
