import { estimateQueueDelay } from '#adapters/support/queue-delay.ts';
import { compareMigrations } from '../schema/history.ts';
import { builderOf } from '../sql/builder.ts';
import { sqlQuotas } from '../sql/quotas.ts';
import { compileRepositories } from '../sql/repositories.ts';
import { sqlSandboxLedger } from '../sql/sandbox-ledger.ts';
import { databaseClock, retried } from '../sql/session.ts';
import type { Store } from '../store.ts';
import { ConnectionPool } from './connection/pool.ts';
import { postgresDialect, postgresQuotaDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { renewRestoredFeed } from './events/feed-identity.ts';
import { postgresSequencer } from './events/sequencer.ts';
import { groupCommit } from './group-commit.ts';
import { appliedMigrations, migratePostgres } from './migrate.ts';
import { postgresOrm } from './orm.ts';
import { readYourWrites } from './replicas/read-your-writes.ts';
import { connectReplica } from './replicas/replica.ts';
import { type Replicas, startReplicas } from './replicas/replicas.ts';
import { type UserLsns, userLsns } from './replicas/user-lsn.ts';
import { postgresSession } from './session.ts';
import { postgresUnitOfWork } from './unit-of-work.ts';
import { requireUsable } from './usability.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with any parameter that the driver understands. */
  readonly url: string;
  /** The maximum number of connections. More of them make the slowest responses slower and add no throughput. */
  readonly poolSize?: number;
  /** Of locks and statements, in milliseconds. It also limits the wait for a connection. */
  readonly timeout?: number;
  /** The URLs of read replicas, one server each, which serve reads with a context. */
  readonly replicas?: readonly string[];
  /** By how much a replica that serves reads may lag behind the primary, in milliseconds. */
  readonly maxReplicaLagMs?: number | undefined;
}

/**
 * Opens the store and brings its schema up to date.
 * @throws ApplicationError 'unavailable' when the server cannot be reached, MigrationError when a migration fails
 */
export const openPostgres = async ({
  url,
  poolSize = 10,
  timeout = 5000,
  replicas: replicaUrls = [],
  maxReplicaLagMs,
}: PostgresOptions): Promise<Store> => {
  const orm = postgresOrm(url, poolSize);
  const pool = await orm.em.getConnection().getNativeClient();
  const connectionPool = new ConnectionPool(pool, timeout);
  let replicas: Replicas | undefined;
  const close = async (): Promise<void> => {
    await replicas?.close();
    await connectionPool.close(() => orm.close());
  };
  try {
    await requireUsable(connectionPool);
    const isNew = await migratePostgres(url, pool);
    await renewRestoredFeed(postgresSession(connectionPool));
    let lsns: UserLsns | undefined;
    if (replicaUrls.length > 0) {
      const servers = replicaUrls.map((replica) => connectReplica(replica, poolSize, timeout));
      lsns = userLsns(connectionPool);
      replicas = await startReplicas(lsns, servers, maxReplicaLagMs);
    }
    const builder = builderOf(orm);
    const tracker = readYourWrites(connectionPool, lsns);
    const unitOfWork = postgresUnitOfWork({
      connections: connectionPool,
      openRepositories: compileRepositories(builder, postgresDialect),
      readYourWrites: tracker,
      replicas,
      // Without this line each unit of work commits alone.
      commitTogether: groupCommit(connectionPool, tracker),
    });
    const session = retried(postgresSession(connectionPool));
    const waitForConnection = estimateQueueDelay(() => connectionPool.queue);
    const waitForTransaction = estimateQueueDelay(() => connectionPool.transactionQueue);
    return {
      unitOfWork,
      sandboxLedger: sqlSandboxLedger(builder, postgresDialect, session),
      quotas: sqlQuotas(session, postgresQuotaDialect),
      isNew,
      untilReplayed: replicas?.untilReplayed,
      numberEvents: postgresSequencer(builder, connectionPool, session),
      now: databaseClock(session, postgresQuotaDialect.now),
      connections: () => ({
        open: pool.totalCount,
        idle: pool.idleCount,
        // Units of work wait for their turn, before they ask the pool.
        waiting: pool.waitingCount + connectionPool.transactionQueue.waiting,
      }),
      queueDelay: (purpose) => waitForConnection() + (purpose === 'change' ? waitForTransaction() : 0),
      schema: async () => {
        const applied = await appliedMigrations(pool).catch((error: unknown) => {
          throw translateError(error);
        });
        return compareMigrations('postgres', applied);
      },
      close,
    };
  } catch (error) {
    await close();
    throw translateError(error);
  }
};
