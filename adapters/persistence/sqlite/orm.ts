import { MikroORM } from '@mikro-orm/sqlite';
import { ormOptions } from '../schema/migrate.ts';

/** @param busyTimeoutMs how long a statement waits for a lock of another process, in milliseconds */
export const sqliteOrm = (file: string, busyTimeoutMs: number) =>
  new MikroORM({
    ...ormOptions,
    dbName: file,
    driverOptions: { timeout: busyTimeoutMs },
  });

export type SqliteOrm = ReturnType<typeof sqliteOrm>;
