import { MikroORM } from '@mikro-orm/sqlite';
import { ormOptions } from '../schema/orm.ts';

/** @param busyTimeout how long a statement waits for another process, in milliseconds */
export const sqliteOrm = (file: string, busyTimeout: number) =>
  new MikroORM({
    ...ormOptions,
    dbName: file,
    driverOptions: { timeout: busyTimeout },
  });

export type SqliteOrm = ReturnType<typeof sqliteOrm>;
