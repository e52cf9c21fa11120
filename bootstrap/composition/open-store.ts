import type { Store } from '#adapters/persistence/store.ts';
import type { Database } from '../config/database.ts';

/** Opens the store that the configuration names. Only its own adapter is loaded: the others cost time at every start. */
export const openStore = async (database: Database): Promise<Store> => {
  switch (database.kind) {
    case 'memory': {
      const { openMemory } = await import('#adapters/persistence/memory/open.ts');
      return openMemory();
    }
    case 'sqlite': {
      const { openSqlite } = await import('#adapters/persistence/sqlite/open.ts');
      return openSqlite(database);
    }
    case 'postgres': {
      const { openPostgres } = await import('#adapters/persistence/postgres/open.ts');
      return openPostgres(database);
    }
  }
};
