import { dirname } from 'node:path';
import { RaceLost } from '../../race-lost.ts';
import type { Store } from '../../store.ts';
import { timeOf } from '../reading.ts';
import { unavailable } from '../refusals.ts';
import { sandboxLedgerOver } from '../sandbox-ledger.ts';
import type { Statement } from '../session.ts';
import { busyTimeout, connect } from './connect.ts';
import { explain } from './errors.ts';
import { makeFolder } from './folder.ts';
import { sqliteOrm } from './orm.ts';
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
    const unitOfWork = new SqliteUnitOfWork(writer, reader);
    // Whatever is going on, for it reads no table.
    const timekeeper = sqliteSession(reader ?? writer);
    return {
      unitOfWork,
      sandboxLedger: sandboxLedgerOver(unitOfWork.apart),
      isNew,
      now: () => timeOf(timekeeper, clock),
      ping: () => unitOfWork.ping(),
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
    throw explained instanceof RaceLost ? unavailable(error) : explained;
  }
};

/** The clock of this machine, which keeps the file, whatever a process of it takes for the time. */
export const clock: Statement = {
  name: 'now',
  text: "select cast(round(unixepoch('subsec') * 1000) as integer) as now",
};
