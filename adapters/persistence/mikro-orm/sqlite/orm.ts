import { MikroORM } from '@mikro-orm/sqlite';
import { ormOptions } from '../orm.ts';
import { entities } from '../tables/all.ts';

/** @param busyTimeout how long a statement waits for another process, in milliseconds */
export const sqliteOrm = (file: string, busyTimeout: number) =>
  new MikroORM({
    ...ormOptions,
    entities: entities.sqlite,
    dbName: file,
    driverOptions: { timeout: busyTimeout },
  });

export type SqliteOrm = ReturnType<typeof sqliteOrm>;
