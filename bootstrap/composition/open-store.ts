import type { Inspection, Store } from '#adapters/persistence/store.ts';
import type { Database } from '../config/database.ts';

/** Opens the configured store. Only its adapter is loaded, to keep starts short. */
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

/** Reports the state of the configured store without changing it. A store in memory is always up to date. */
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
