import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../schema/migrate.ts';

/** @param poolSize the maximum number of connections */
export const postgresOrm = (url: string, poolSize: number) =>
  new MikroORM({
    ...ormOptions,
    clientUrl: url,
    pool: { max: poolSize },
    // MikroORM uses parts of the URL only; the driver understands all of it, such as `sslmode`.
    driverOptions: { connectionString: url },
  });
