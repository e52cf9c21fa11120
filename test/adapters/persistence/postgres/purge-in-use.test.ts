import { expect } from 'chai';
import { rotatePartitions } from '#adapters/persistence/postgres/idempotency-partitions.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { directReads } from '#adapters/persistence/sql/direct-session.ts';
import type { SqlSession } from '#adapters/persistence/sql/session.ts';
import { noon } from '#test/contracts/samples.ts';
import { forEachCase } from '#test/support/for-each-case.ts';
import { ofEachTest } from '#test/support/of-each-test.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

interface Table {
  /** Whether the purge gets the lock of the table. */
  readonly isFree: boolean;
  /** Whether another transaction adds a key between the read of the partition and its lock. */
  readonly isUsedBefore?: boolean;
}

/** A session of a database whose only partition has expired. */
const ofExpired = ({ isFree, isUsedBefore = false }: Table, sent: string[]): SqlSession => {
  const responses = {
    idempotency_keys_rotation_turn: { acquired: true },
    idempotency_keys_partitions: { part: 1 },
    idempotency_keys_partition_age: { has_expired: 1, has_current: 0 },
    idempotency_keys_is_locked: { acquired: isFree },
  };
  return {
    ...directReads({
      query: async <Row>({ name }: { readonly name: string }) =>
        [responses[name as keyof typeof responses]] as readonly unknown[] as readonly Row[],
    }),
    execute: async ({ text }) => {
      sent.push(text);
      if (isUsedBefore) responses.idempotency_keys_partition_age.has_current = 1;
      return 0;
    },
  } as SqlSession;
};

const aPurge = () => rotatePartitions(builderOf(postgresOrm('postgres://127.0.0.1/none', 1)));

describe('A purge of idempotency keys on PostgreSQL while another transaction uses them', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('waits for the table for a twentieth of a second, and tries again after a minute', async () => {
    const sent: string[] = [];
    const purge = aPurge();
    const inUse = ofExpired({ isFree: false }, sent);
    await purge(inUse, noon);
    expect(sent).to.have.lengthOf(1);
    expect(sent[0]).to.include("set_config('lock_timeout', '50', true)").and.include('access exclusive');
    time.rest(59_990);
    await purge(inUse, noon);
    expect(sent).to.have.lengthOf(1);
    time.rest(20);
    await purge(inUse, noon);
    expect(sent).to.have.lengthOf(2);
  });

  it('keeps a partition to which a key was added before the table was locked', () =>
    forEachCase([false, true], async (isUsedBefore) => {
      const sent: string[] = [];
      await aPurge()(ofExpired({ isFree: true, isUsedBefore }, sent), noon);
      expect(sent.includes('drop table idempotency_keys_1')).to.equal(!isUsedBefore);
    }));
});
