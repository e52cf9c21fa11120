import type { Pool } from 'pg';
import type { Store } from '../../store.ts';
import { timeOf } from '../reading.ts';
import { sandboxLedgerOver } from '../sandbox-ledger.ts';
import type { Statement } from '../session.ts';
import { explain } from './errors.ts';
import { migratePostgres } from './migrate.ts';
import { postgresOrm } from './orm.ts';
import { postgresSession } from './session.ts';
import { PostgresUnitOfWork } from './unit-of-work.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with whatever else the driver understands. */
  readonly url: string;
  /** How many connections at the most. More of them make the slowest answers slower, not more answers. */
  readonly poolSize?: number;
  /** How long a turn, a connection, a lock or a statement may take, in milliseconds. */
  readonly timeout?: number;
}

/** @throws ApplicationError 'unavailable' when the server cannot be reached */
export const openPostgres = async ({
  url,
  poolSize = 10,
  timeout = 5000,
}: PostgresOptions): Promise<Store> => {
  const orm = postgresOrm({ url, poolSize, timeout });
  const pool: Pool = await orm.em.getConnection().getNativeClient();
  const close = async (): Promise<void> => {
    await orm.close();
    // MikroORM ends the pool only when it has sent a query of its own.
    if (!pool.ended) await pool.end();
  };
  try {
    const isNew = await migratePostgres(url, pool);
    const unitOfWork = new PostgresUnitOfWork(pool);
    const session = postgresSession(pool);
    return {
      unitOfWork,
      sandboxLedger: sandboxLedgerOver(session),
      isNew,
      now: () => timeOf(session, clock),
      ping: () => unitOfWork.ping(),
      close,
    };
  } catch (error) {
    await close();
    throw explain(error);
  }
};

export const clock: Statement = {
  name: 'now',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
};
