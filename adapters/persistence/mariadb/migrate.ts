import { randomUUID } from 'node:crypto';
import { sleep } from '#adapters/support/time.ts';
import { ConcurrencyConflict, ConstraintViolation } from '#application/errors.ts';
import { isUpToDate, lacksBaseline, recordBaseline } from '../schema/history.ts';
import { migrate, migrationsTable } from '../schema/migrate.ts';
import { migrationsOf } from '../schema/migrations/all.ts';
import type { SqlSession } from '../sql/session.ts';
import type { Statement } from '../sql/sql-table.ts';
import { isMissingTable } from './errors.ts';
import { closeOrm, mariadbOrm } from './orm.ts';
import { sessionSettings } from './session-settings.ts';

/** The row that guards the migrations: there is at most one. It is a lock that every node of a Galera cluster sees. */
export const lockTable = 'migration_lock';

/** The lock of a process that died is free after this time, in seconds. Its owner renews it meanwhile. */
const lockSeconds = 30;

/*
 * The statements here are written by hand: no entity describes the tables. MariaDB commits each change of a table at once, so no
 * migration is a transaction. Each statement of a migration can run again instead.
 */

/**
 * Applies the missing migrations. A row guards them: its primary key lets one process win, on whatever node, and the others
 * wait until it is removed, and check again. `get_lock` would bind one node only.
 * @returns whether the database was empty
 * @throws MigrationError when one fails, HistoryError when the tables are of another program, or an early build has migrated them halfway
 */
export const migrateMariaDb = async (url: string, session: SqlSession): Promise<boolean> => {
  const found = await appliedMigrations(session);
  if (isUpToDate('mariadb', found)) return false;
  // Before the lock: the tables of another program stay as they are.
  lacksBaseline('mariadb', found);
  const holder = randomUUID();
  await acquireLock(session, holder);
  // A renewal that fails is tried again several times before the lock ends.
  const renewing = setInterval(
    () => void session.execute(renewLock, [holder]).catch(() => undefined),
    lockSeconds * 200,
  );
  try {
    const before = await appliedMigrations(session);
    if (lacksBaseline('mariadb', before)) await session.execute(baselineRecord, []);
    if (!isUpToDate('mariadb', before)) await applyAll(url);
    return before.length === 0;
  } finally {
    clearInterval(renewing);
    // It only removes the lock of a dead process: when it fails, the next try does it.
    await session.execute(releaseLock, [holder]);
  }
};

/** The names of the migrations that have been applied. */
export const appliedMigrations = async (session: SqlSession): Promise<readonly string[]> => {
  try {
    const rows = await session.query<{ readonly name: string }>(readMigrations, []);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
};

/** On a connection of its own, whose statements have no timeout. */
const applyAll = async (url: string): Promise<void> => {
  const orm = mariadbOrm({ url, poolSize: 1, timeout: 0 });
  const pool = await orm.em.getConnection().getNativeClient();
  pool.on('connection', (connection) => connection.query(sessionSettings(0)));
  try {
    await migrate(orm, migrationsOf('mariadb'), false);
  } finally {
    await closeOrm(orm, pool);
  }
};

const acquireLock = async (session: SqlSession, holder: string): Promise<void> => {
  await session.execute(createLock, []);
  for (;;) {
    try {
      await session.execute(insertLock, [holder]);
      return;
    } catch (error) {
      // A deadlock or a duplicate key means that another process was first.
      const isDuplicate = error instanceof ConcurrencyConflict || error instanceof ConstraintViolation;
      if (!isDuplicate) throw error;
    }
    await sleep(50 + Math.random() * 100);
    // Another process may remove it at the same time; the next round tries again.
    await session.execute(removeExpiredLock, []).catch(() => undefined);
  }
};

const readMigrations: Statement = { name: 'migrations', text: `select name from ${migrationsTable}` };

const baselineRecord: Statement = { name: 'record_baseline', text: recordBaseline };

const later = `sysdate(3) + interval ${lockSeconds} second`;

const createLock: Statement = {
  name: 'create_lock',
  text: `create table if not exists ${lockTable} (id int primary key, holder char(36), until datetime(3)) engine = InnoDB`,
};
const insertLock: Statement = {
  name: 'acquire_lock',
  text: `insert into ${lockTable} (id, holder, until) values (1, ?, ${later})`,
};
const renewLock: Statement = {
  name: 'renew_lock',
  text: `update ${lockTable} set until = ${later} where holder = ?`,
};
const releaseLock: Statement = { name: 'release_lock', text: `delete from ${lockTable} where holder = ?` };
const removeExpiredLock: Statement = {
  name: 'remove_expired_lock',
  text: `delete from ${lockTable} where until < sysdate(3)`,
};
