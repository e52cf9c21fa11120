import type { ReadRepositories } from '#application/ports/repositories.ts';
import { inspectStore, openStore } from '../../composition/ports/open-store.ts';
import { isPersistent } from '../../composition/ports/store-kind.ts';
import type { Database } from '../../config/database.ts';

/**
 * Reads a database whose tables are up to date. Opening any other would change its tables.
 * @returns undefined when there is none @throws what `read` throws
 */
export const readStored = async <T>(
  database: Database,
  read: (repositories: ReadRepositories) => Promise<T>,
  inspect = inspectStore,
): Promise<T | undefined> => {
  if (!isPersistent(database)) return undefined;
  const inspection = await inspect(database).catch(() => undefined);
  if (!inspection?.exists || inspection.problem !== undefined) return undefined;
  if (inspection.pending.length > 0 || inspection.unknown.length > 0) return undefined;
  const store = await openStore({ ...database, replicas: [] });
  try {
    return await store.unitOfWork.read(read);
  } finally {
    await store.close();
  }
};
