import { Client } from 'pg';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { runStatement } from './mariadb-server.ts';

/**
 * How many transactions wait for others. In memory each does: units of work run one after the other. On SQLite none does for long: a
 * unit of work that waits is taken out of its batch, and runs again behind the others.
 */
export const lockWaitsIn = async (kind: StoreKindName, url: string): Promise<number> => {
  if (kind === 'postgres') return postgresWaits(url);
  if (kind === 'mariadb') return (await runStatement(url, mariadbWaits)).length;
  return kind === 'memory' ? 1 : 0;
};

const mariadbWaits = `select trx_id from information_schema.innodb_trx join information_schema.processlist
  on processlist.id = trx_mysql_thread_id where trx_state = 'LOCK WAIT' and db = database()`;

const postgresWaits = async (connectionString: string): Promise<number> => {
  const client = new Client({ connectionString });
  await client.connect();
  const waiting = await client.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  await client.end();
  return waiting.rowCount ?? 0;
};
