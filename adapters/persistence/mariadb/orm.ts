import { MikroORM } from '@mikro-orm/mariadb';
import { ormOptions } from '../schema/migrate.ts';
import { hostOf, tlsOptions } from './tls.ts';

export interface OrmOptions {
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** Of connecting, in milliseconds. */
  readonly timeout: number;
}

/** Creates MikroORM over the driver's pool. */
export const mariadbOrm = ({ url: text, poolSize, timeout }: OrmOptions) => {
  const url = new URL(text);
  const ssl = tlsOptions(url);
  return new MikroORM({
    ...ormOptions,
    host: hostOf(url),
    port: Number(url.port) || 3306,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    dbName: decodeURIComponent(url.pathname.slice(1)),
    pool: { max: poolSize },
    driverOptions: {
      charset: 'utf8mb4',
      connectTimeout: timeout,
      typeCast: (field: Field, next: () => unknown) =>
        field.type === 'DATETIME' ? instantOf(field.string()) : next(),
      ...(ssl && { ssl }),
    },
  });
};

type Orm = ReturnType<typeof mariadbOrm>;

/** The driver's pool, and a connection of it. */
export type DriverPool = Awaited<ReturnType<ReturnType<Orm['em']['getConnection']>['getNativeClient']>>;
export type DriverConnection = Parameters<Parameters<DriverPool['getConnection']>[0]>[1];

/** Closes MikroORM, and the pool, which it ends only if it has sent a query itself. */
export const closeOrm = async (orm: Orm, pool: DriverPool): Promise<void> => {
  await orm.close();
  await new Promise<void>((resolve) => pool.end(() => resolve()));
};

interface Field {
  readonly type: string;
  string(): string | null;
}

/** Sessions use UTC. The driver omits a fraction of zero. */
const instantOf = (text: string | null): string | null =>
  text && new Date(`${text.replace(' ', 'T')}Z`).toISOString();
