import { expect } from 'chai';
import { rotatePartitions } from '#adapters/persistence/postgres/idempotency-partitions.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { directReads } from '#adapters/persistence/sql/direct-session.ts';
import type { SqlSession } from '#adapters/persistence/sql/session.ts';
import { noon } from '#test/contracts/samples.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

/** A session of a database whose only partition has expired, and is in use by another transaction. */
const inUse = (sent: string[]): SqlSession => {
  const responses: Readonly<Record<string, unknown>> = {
    idempotency_keys_rotation_turn: { acquired: true },
    idempotency_keys_partitions: { part: 1 },
    idempotency_keys_partition_age: { has_expired: 1, has_current: 0 },
    idempotency_keys_is_locked: { acquired: false },
  };
  return {
    ...directReads({
      query: async <Row>({ name }: { readonly name: string }) =>
        [responses[name]] as readonly unknown[] as readonly Row[],
    }),
    execute: async ({ text }) => {
      sent.push(text);
      return 0;
    },
  } as SqlSession;
};

describe('A purge of idempotency keys on PostgreSQL while another transaction uses them', () => {
  let time: SimulatedTime;
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  it('waits for the table for a twentieth of a second, and tries again after a minute', async () => {
    const sent: string[] = [];
    const purge = rotatePartitions(builderOf(postgresOrm('postgres://127.0.0.1/none', 1)));
    await purge(inUse(sent), noon);
    expect(sent).to.have.lengthOf(1);
    expect(sent[0]).to.include("set_config('lock_timeout', '50', true)").and.include('access exclusive');
    time.rest(59_990);
    await purge(inUse(sent), noon);
    expect(sent).to.have.lengthOf(1);
    time.rest(20);
    await purge(inUse(sent), noon);
    expect(sent).to.have.lengthOf(2);
  });
});
