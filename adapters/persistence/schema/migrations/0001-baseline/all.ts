import type { Statements } from '../../migrate.ts';
import { mariadbBaseline } from './mariadb.ts';
import { postgresBaseline } from './postgres.ts';
import { sqliteBaseline } from './sqlite.ts';

/** The whole schema, as the steps before it had made it. Each call has another id for the feed. */
export const baseline = (): Statements => ({
  sqlite: sqliteBaseline(),
  postgres: postgresBaseline(),
  mariadb: mariadbBaseline(),
});
