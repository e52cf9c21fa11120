import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { ConcurrencyConflict } from '../retry.ts';
import { compareMigrations } from '../schema/migrate.ts';
import { sqliteMigrations } from '../schema/migrations/sqlite/all.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import { estimateQueueDelay } from '../sql/queue-delay.ts';
import { sqlQuotas } from '../sql/quotas.ts';
import { databaseTime } from '../sql/read-session.ts';
import { sqlSandboxLedger } from '../sql/sandbox-ledger.ts';
import type { Statement } from '../sql/session.ts';
import type { Store } from '../store.ts';
import { busyTimeout, connect } from './connect.ts';
import { Connection } from './connection.ts';
import { explain } from './errors.ts';
import { guardFileIdentity, noFiles } from './files/file-identity.ts';
import { makeFolder } from './files/folder.ts';
import { applied } from './migrate.ts';
import { sqliteOrm } from './orm.ts';
import { quotaDialect } from './quotas.ts';
import { sqliteSession } from './session.ts';
import { SqliteUnitOfWork } from './unit-of-work.ts';

export interface SqliteOptions {
  /** Its folder is made when there is none. `:memory:` lives and dies with the process. */
  readonly file: string;
}

/** @throws ApplicationError 'unavailable' when the file cannot be used */
export const openSqlite = async ({ file }: SqliteOptions): Promise<Store> => {
  if (file !== ':memory:') await makeFolder(dirname(file));
  const orm = sqliteOrm(file, busyTimeout.atStart);
  try {
    const { writer, reader, isNew } = await connect(orm, file);
    const reading = reader && new Connection(reader);
    const writing = new Connection(writer);
    const files = reader === undefined ? noFiles : guardFileIdentity(file);
    const unitOfWork = new SqliteUnitOfWork(writing, reading, files);
    // Whatever is going on, for it reads no table.
    const timekeeper = sqliteSession(reading ?? writing);
    const turn = estimateQueueDelay(() => unitOfWork.turns);
    return {
      unitOfWork,
      sandboxLedger: sqlSandboxLedger(unitOfWork.autocommit),
      quotas:
        reader &&
        ((limit) => sqlQuotas(unitOfWork.autocommitNonDurable, quotaDialect, limit, unitOfWork.autocommit)),
      isNew,
      now: () => databaseTime(timekeeper, clock),
      wait: (purpose) => (reader !== undefined && purpose === 'read' ? 0 : turn()),
      schema: async () => {
        files.checkNow();
        return compareMigrations(sqliteMigrations, appliedNow(reader ?? writer));
      },
      close: async () => {
        await unitOfWork.end();
        // The last to close puts the write-ahead log into the file, which a reader could not.
        reader?.close();
        await orm.close();
      },
    };
  } catch (error) {
    await orm.close();
    const explained = explain(error);
    throw explained instanceof ConcurrencyConflict ? unavailable(error) : explained;
  }
};

const appliedNow = (database: Database): readonly string[] => {
  try {
    return applied(database);
  } catch (error) {
    throw explain(error);
  }
};

/** The clock of this machine, which keeps the file, whatever a process of it takes for the time. */
export const clock: Statement = {
  name: 'now',
  text: "select cast(round(unixepoch('subsec') * 1000) as integer) as now",
};
