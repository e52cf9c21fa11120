import type { Inspection } from '#adapters/persistence/store.ts';
import type { Database } from '../config/database.ts';

/** Looks at the store that the configuration names, and leaves it as it is. What is in memory is always up to date. */
export const inspectStore = async (database: Database): Promise<Inspection> => {
  switch (database.kind) {
    case 'memory':
      return { product: 'memory', exists: false, applied: [], pending: [], unknown: [], now: Date.now() };
    case 'sqlite': {
      const { inspectSqlite } = await import('#adapters/persistence/sqlite/inspect.ts');
      return inspectSqlite(database);
    }
    case 'postgres': {
      const { inspectPostgres } = await import('#adapters/persistence/postgres/inspect.ts');
      return inspectPostgres(database);
    }
  }
};
