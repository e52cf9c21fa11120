import { compareMigrations, findHistoryProblem } from '../schema/history.ts';
import { databaseClock, type SqlSession } from '../sql/session.ts';
import type { Inspection, Problem } from '../store.ts';
import { mariadbQuotaDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { findForeignTable } from './foreign-tables.ts';
import { appliedMigrations } from './migrate.ts';
import type { MariaDbOptions } from './open.ts';
import { closeOrm, mariadbOrm } from './orm.ts';
import { MariaDbPool } from './pool.ts';
import { mariadbSession } from './session.ts';
import { findProblem } from './usability.ts';

/**
 * Written by hand: it asks the catalogue. A privilege is given for all databases or for this one, whose name may be a pattern.
 */
const facts = {
  name: 'inspect',
  text: `select version() as version, exists (
      select 1 from information_schema.user_privileges
      where privilege_type = 'CREATE' and grantee = account.name
      union all
      select 1 from information_schema.schema_privileges
      where privilege_type = 'CREATE' and grantee = account.name and database() like table_schema
    ) as may_create
    from (select concat('''', replace(current_user(), '@', '''@'''), '''') as name) as account`,
};

/**
 * Inspects a database without creating or changing anything.
 * @throws ApplicationError 'unavailable'
 */
export const inspectMariaDb = async ({
  url,
  timeout = 5000,
}: Pick<MariaDbOptions, 'url' | 'timeout'>): Promise<Inspection> => {
  const orm = mariadbOrm({ url, poolSize: 1, timeout });
  const driver = await orm.em.getConnection().getNativeClient();
  const pool = new MariaDbPool(driver, { size: 1, timeoutMs: timeout });
  try {
    const session = mariadbSession(pool);
    const [row] = await session.query<{ version: string; may_create: number }>(facts, []);
    const applied = await appliedMigrations(session);
    return {
      product: `MariaDB ${row?.version.split('-', 1)}`,
      mayCreate: row?.may_create === 1,
      exists: applied.length > 0,
      ...((await foreignProblem(session)) ??
        findHistoryProblem('mariadb', applied) ??
        (await findProblem(session))),
      ...compareMigrations('mariadb', applied),
      now: await databaseClock(session, mariadbQuotaDialect.now)(),
    };
  } catch (error) {
    throw translateError(error);
  } finally {
    await pool.close(() => closeOrm(orm, driver));
  }
};

const foreignProblem = async (session: SqlSession): Promise<Problem | undefined> => {
  const table = await findForeignTable(session);
  if (table === undefined) return undefined;
  return {
    problem: `contains tables of another program, such as ${table}`,
    remedy: 'Set DATABASE_URL to a database for Portico alone.',
  };
};
