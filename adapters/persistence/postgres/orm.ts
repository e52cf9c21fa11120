import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../schema/orm.ts';
import { Connections } from './connection/pool.ts';

export interface OrmOptions {
  readonly url: string;
  /** How many connections at the most. */
  readonly poolSize: number;
  /** How long a lock or a statement may take, in milliseconds. 0 is for ever. */
  readonly timeout: number;
}

/** @param connections what is to be known of them, where somebody wants to know */
export const postgresOrm = (
  { url, poolSize, timeout }: OrmOptions,
  connections = new Connections({ timeout }),
) =>
  new MikroORM({
    ...ormOptions,
    clientUrl: url,
    pool: { max: poolSize },
    driverOptions: {
      // MikroORM takes a few parts of the address; the driver understands all of it, `sslmode` for one.
      connectionString: url,
      ...connections.options,
    },
  });
