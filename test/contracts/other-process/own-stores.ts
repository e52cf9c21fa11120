import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';

/** Opens a migrated database of one of Portico's own stores, as another process does. */
export const openStore = ({ url }: { readonly url: string }) => {
  if (url.startsWith('sqlite:')) return openSqlite({ file: url.replace('sqlite:', '') });
  return url.startsWith('postgres') ? openPostgres({ url }) : openMariaDb({ url });
};
