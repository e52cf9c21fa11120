import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUpToDate, migrate, migrationsTable } from '../schema/migrate.ts';
import { mariadbMigrations } from '../schema/migrations/mariadb/all.ts';
import { isMissingTable } from './errors.ts';
import { closeOrm, type DriverPool, mariadbOrm } from './orm.ts';
import { sessionSettings } from './session-settings.ts';

/** The row that guards the migrations: there is at most one. It is a lock that every node of a Galera cluster sees. */
const lockTable = 'migration_lock';

/** The lock of a process that died is free after this time, in seconds. Its owner renews it meanwhile. */
const lockSeconds = 30;

/*
 * The statements here are written by hand: no entity describes the tables. They are not prepared, because MariaDB commits each
 * change of a table at once, so no migration is a transaction. Each statement of a migration can run again instead.
 */

/**
 * Applies the missing migrations. A row guards them: its primary key lets one process win, on whatever node, and the others
 * wait until it is removed, and look again. `get_lock` would bind one node only.
 * @returns whether the database was empty
 */
export const migrateMariaDb = async (url: string, pool: DriverPool): Promise<boolean> => {
  if (isUpToDate(mariadbMigrations, await appliedMigrations(pool))) return false;
  const holder = randomUUID();
  await acquireLock(pool, holder);
  // A renewal that fails is tried again several times before the lock ends.
  const renewing = setInterval(() => void renewLock(pool, holder).catch(() => undefined), lockSeconds * 200);
  try {
    const before = await appliedMigrations(pool);
    if (!isUpToDate(mariadbMigrations, before)) await applyAll(url);
    return before.length === 0;
  } finally {
    clearInterval(renewing);
    // It only removes what a dead process has left: when it fails, the next try does it.
    await send(pool, `delete from ${lockTable} where holder = '${holder}'`);
  }
};

/** The names of the migrations that have been applied. */
export const appliedMigrations = async (pool: DriverPool): Promise<readonly string[]> => {
  try {
    const rows = (await send(pool, `select name from ${migrationsTable}`)) as { readonly name: string }[];
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
    await migrate(orm, mariadbMigrations);
  } finally {
    await closeOrm(orm, pool);
  }
};

const acquireLock = async (pool: DriverPool, holder: string): Promise<void> => {
  await send(
    pool,
    `create table if not exists ${lockTable} (id int primary key, holder char(36), until datetime(3)) engine = InnoDB`,
  );
  for (;;) {
    // A deadlock or a taken key means that another process was first.
    const isAcquired = await send(
      pool,
      `insert into ${lockTable} (id, holder, until) values (1, '${holder}', ${later})`,
    ).then(
      () => true,
      (error: { readonly errno?: number }) => {
        if (error.errno !== 1062 && error.errno !== 1213) throw error;
        return false;
      },
    );
    if (isAcquired) return;
    await sleep(50 + Math.random() * 100);
    await send(pool, `delete from ${lockTable} where until < sysdate(3)`).catch(() => undefined);
  }
};

const later = `sysdate(3) + interval ${lockSeconds} second`;

const renewLock = (pool: DriverPool, holder: string): Promise<unknown> =>
  send(pool, `update ${lockTable} set until = ${later} where holder = '${holder}'`);

const send = (pool: DriverPool, text: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    pool.query(text, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
