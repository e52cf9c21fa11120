import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../schema/migrate.ts';
import { ConnectionPool } from './connection/pool.ts';

export interface OrmOptions {
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** Of locks and statements, in milliseconds; 0 is no limit. */
  readonly timeout: number;
}

/** Creates MikroORM over the driver's pool. @param connections takes the pool over, if given */
export const postgresOrm = (
  { url, poolSize, timeout }: OrmOptions,
  connections = new ConnectionPool({ timeout }),
) =>
  new MikroORM({
    ...ormOptions,
    clientUrl: url,
    pool: { max: poolSize },
    driverOptions: {
      // MikroORM uses parts of the URL only; the driver understands all of it, such as `sslmode`.
      connectionString: url,
      ...connections.driverOptions,
    },
  });
