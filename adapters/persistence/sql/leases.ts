import type { Lease, Leases } from '#application/ports/leader-lease.ts';
import type { Instant } from '#domain/instant.ts';
import { LeaseEntity } from '../schema/entities/infrastructure.ts';
import type { SqlSession, Statement } from './session.ts';

const { tableName: leases } = LeaseEntity;

/** An upsert: one statement checks that the lease is free and takes it, so of several processes only one succeeds. */
const acquire: Statement = {
  name: `${leases}_take`,
  text:
    `insert into ${leases} (name, holder, until) values ($1, $2, $3) ` +
    'on conflict (name) do update set holder = excluded.holder, until = excluded.until ' +
    `where ${leases}.until <= $4 or ${leases}.until > $5 or ${leases}.holder = excluded.holder`,
};

/** Leader leases, in the table `duties`. */
export class SqlLeases implements Leases {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async acquire({ name, holder, expiresAt }: Lease, now: Instant, farthest: Instant): Promise<boolean> {
    return (await this.#session.execute(acquire, [name, holder, expiresAt, now, farthest])) > 0;
  }
}
