import { compareMigrations } from '../schema/migrate.ts';
import { postgresMigrations } from '../schema/migrations/postgres/all.ts';
import { estimateQueueDelay } from '../sql/queue-delay.ts';
import { sqlQuotas } from '../sql/quotas.ts';
import { databaseTime } from '../sql/read-session.ts';
import { sqlSandboxLedger } from '../sql/sandbox-ledger.ts';
import type { Statement } from '../sql/session.ts';
import type { Store } from '../store.ts';
import { Connections } from './connection/pool.ts';
import { explain } from './errors.ts';
import { applied, migratePostgres } from './migrate.ts';
import { postgresOrm } from './orm.ts';
import { quotaDialect } from './quotas.ts';
import { Replica } from './replicas/replica.ts';
import { Replicas } from './replicas/replicas.ts';
import { Positions } from './replicas/user-lsn.ts';
import { postgresSession } from './session.ts';
import { PostgresUnitOfWork } from './unit-of-work.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with whatever else the driver understands. */
  readonly url: string;
  /** How many connections at the most. More of them make the slowest answers slower, not more answers. */
  readonly poolSize?: number;
  /** How long a lock or a statement may take, in milliseconds; a turn or a new connection takes no longer either. */
  readonly timeout?: number;
  /** The addresses of servers that follow it, each of one server, which may answer readings under a mandate. */
  readonly replicas?: readonly string[];
}

/** @throws ApplicationError 'unavailable' when the server cannot be reached */
export const openPostgres = async ({
  url,
  poolSize = 10,
  timeout = 5000,
  replicas: replicaUrls = [],
}: PostgresOptions): Promise<Store> => {
  const connections = new Connections({ timeout });
  const orm = postgresOrm({ url, poolSize, timeout }, connections);
  const pool = await orm.em.getConnection().getNativeClient();
  connections.use(pool);
  let replicas: Replicas | undefined;
  const close = async (): Promise<void> => {
    await replicas?.close();
    await connections.close(async () => {
      await orm.close();
      // MikroORM ends the pool only when it has sent a query of its own.
      if (!pool.ended) await pool.end();
    });
  };
  try {
    const isNew = await migratePostgres(url, pool);
    if (replicaUrls.length > 0) {
      const following = replicaUrls.map((replica) => new Replica(replica, poolSize, timeout));
      replicas = await Replicas.beside(new Positions(connections), following);
    }
    const unitOfWork = new PostgresUnitOfWork(connections, replicas);
    const session = postgresSession(connections);
    const waitForConnection = estimateQueueDelay(() => connections.turns);
    const waitForGroup = estimateQueueDelay(() => unitOfWork.turns);
    return {
      unitOfWork,
      sandboxLedger: sqlSandboxLedger(session),
      quotas: (limit) => sqlQuotas(session, quotaDialect, limit),
      isNew,
      now: () => databaseTime(session, clock),
      connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
      wait: (purpose) => waitForConnection() + (purpose === 'change' ? waitForGroup() : 0),
      schema: async () => {
        const made = await applied(pool).catch((error: unknown) => {
          throw explain(error);
        });
        return compareMigrations(postgresMigrations, made);
      },
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
