import type { Lease, Leases } from '#application/ports/leader-lease.ts';
import type { Instant } from '#domain/instant.ts';
import { LeaseEntity } from '../schema/entities/lease.ts';
import type { SqlSession, Statement } from './session.ts';

const { tableName: duties } = LeaseEntity;

/** Whether the duty is free is looked at and changed in one statement, so of several takers one only finds it so. */
const take: Statement = {
  name: `${duties}_take`,
  text:
    `insert into ${duties} (name, holder, until) values ($1, $2, $3) ` +
    'on conflict (name) do update set holder = excluded.holder, until = excluded.until ' +
    `where ${duties}.until <= $4 or ${duties}.until > $5 or ${duties}.holder = excluded.holder`,
};

export class SqlLeases implements Leases {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async acquire(
    { name, holder, expiresAt: until }: Lease,
    now: Instant,
    farthest: Instant,
  ): Promise<boolean> {
    return (await this.#session.execute(take, [name, holder, until, now, farthest])) > 0;
  }
}
