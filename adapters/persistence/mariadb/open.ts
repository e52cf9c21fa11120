import { estimateQueueDelay } from '#adapters/support/queue-delay.ts';
import { compareMigrations } from '../schema/history.ts';
import { builderOf } from '../sql/builder.ts';
import { sqlQuotas } from '../sql/quotas.ts';
import { compileRepositories } from '../sql/repositories.ts';
import { sqlSandboxLedger } from '../sql/sandbox-ledger.ts';
import { databaseClock, retried } from '../sql/session.ts';
import type { Problem, Store } from '../store.ts';
import { mariadbDialect, mariadbQuotaDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { mariadbSequencer } from './events/sequencer.ts';
import { requireNoForeignTable } from './foreign-tables.ts';
import { appliedMigrations, migrateMariaDb } from './migrate.ts';
import { closeOrm, mariadbOrm } from './orm.ts';
import { MariaDbPool } from './pool.ts';
import { mariadbSession } from './session.ts';
import { MariaDbUnitOfWork, maxAttempts } from './unit-of-work.ts';
import { findWriteProblem, requireUsable } from './usability.ts';

export interface MariaDbOptions {
  /** `mariadb://user:password@host:port/database`, with `?ssl=true` for TLS: see docs/mariadb.md. */
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize?: number;
  /** Of locks and statements, in milliseconds. It also limits the wait for a connection. */
  readonly timeout?: number;
}

/**
 * Opens the store and brings its schema up to date.
 * @throws ApplicationError 'unavailable' when the server cannot be reached, MigrationError when a migration fails
 */
export const openMariaDb = async ({ url, poolSize = 10, timeout = 5000 }: MariaDbOptions): Promise<Store> => {
  const orm = mariadbOrm({ url, poolSize, timeout });
  const driver = await orm.em.getConnection().getNativeClient();
  const pool = new MariaDbPool(driver, { size: poolSize, timeoutMs: timeout });
  try {
    const single = mariadbSession(pool);
    // Before it reads the tables: those of another program are not to be changed.
    await requireNoForeignTable(single);
    await requireUsable(single);
    const isNew = await migrateMariaDb(url, single);
    const builder = builderOf(orm);
    const session = retried(single, maxAttempts);
    const waitForConnection = estimateQueueDelay(() => pool.queue);
    const waitForTransaction = estimateQueueDelay(() => pool.transactionQueue);
    return {
      unitOfWork: new MariaDbUnitOfWork(pool, compileRepositories(builder, mariadbDialect)),
      sandboxLedger: sqlSandboxLedger(builder, mariadbDialect, session),
      quotas: sqlQuotas(session, mariadbQuotaDialect),
      isNew,
      numberEvents: mariadbSequencer({ builder, pool, session, maxAttempts }),
      now: databaseClock(session, mariadbQuotaDialect.now),
      connections: () => pool.stats,
      queueDelay: (purpose) => waitForConnection() + (purpose === 'change' ? waitForTransaction() : 0),
      schema: async () => ({
        ...compareMigrations('mariadb', await appliedMigrations(session)),
        ...problemFor(await findWriteProblem(session)),
      }),
      close: () => pool.close(() => closeOrm(orm, driver)),
    };
  } catch (error) {
    await pool.close(() => closeOrm(orm, driver));
    throw translateError(error);
  }
};

/** For `/readyz`, which reports why the server cannot serve. */
const problemFor = (found: Problem | undefined): { readonly problem?: string } =>
  found === undefined ? {} : { problem: `the database ${found.problem}` };
