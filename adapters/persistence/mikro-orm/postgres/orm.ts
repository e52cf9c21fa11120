import { MikroORM } from '@mikro-orm/postgresql';
import type { ClientBase } from 'pg';
import { ormOptions } from '../orm.ts';

export interface Connections {
  readonly url: string;
  /** How many at the most. */
  readonly poolSize: number;
  /** How long anything may take, in milliseconds: a turn, a connection, a lock, a statement. 0 is for ever. */
  readonly timeout: number;
}

export const postgresOrm = ({ url, poolSize, timeout }: Connections) =>
  new MikroORM({
    ...ormOptions,
    clientUrl: url,
    pool: { max: poolSize },
    driverOptions: {
      // MikroORM takes a few parts of the address; the driver understands all of it, `sslmode` for one.
      connectionString: url,
      connectionTimeoutMillis: timeout,
      // When the server does not even say that it took too long. It gets a little longer to say so.
      query_timeout: timeout === 0 ? 0 : timeout + 1000,
      keepAlive: true,
      onConnect: (client: ClientBase) => agree(client, timeout),
    },
  });

/** What a connection has to be told once, whatever the server's own settings are. */
const agree = async (client: ClientBase, timeout: number): Promise<void> => {
  const settings: readonly (readonly [string, string])[] = [
    ['TimeZone', 'UTC'],
    ['DateStyle', 'ISO'],
    ['lock_timeout', String(timeout)],
    ['statement_timeout', String(timeout)],
    ['idle_in_transaction_session_timeout', String(timeout)],
  ];
  const each = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`);
  await client.query(`select ${each.join(', ')}`, settings.flat());
};
