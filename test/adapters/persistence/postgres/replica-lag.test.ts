import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Replica } from '#adapters/persistence/postgres/replicas/replica.ts';
import { startReplicas } from '#adapters/persistence/postgres/replicas/replicas.ts';
import type { UserLsns } from '#adapters/persistence/postgres/replicas/user-lsn.ts';
import { directReads } from '#adapters/persistence/sql/direct-session.ts';
import type { ReadSession } from '#adapters/persistence/sql/session.ts';
import { aUser } from '#test/contracts/samples.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

const reads = (name: string): ReadSession =>
  directReads({ query: async <Row>() => [name] as readonly unknown[] as readonly Row[] });

describe('A replica that stops replaying', () => {
  let time: SimulatedTime;
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      time.rest(1_000);
      time.reach(1_000);
      await endOfTurn();
    }
  };

  it('by default serves reads until it lags by five seconds', async () => {
    let primaryLsn = 100;
    const replicaLsn = 100;
    const userLsns: Pick<UserLsns, 'ensureEpoch' | 'current' | 'deleteExpired' | 'awaitPending' | 'find'> = {
      ensureEpoch: async () => undefined,
      current: async () => primaryLsn,
      deleteExpired: async () => undefined,
      awaitPending: async () => undefined,
      find: async () => ({ epoch: 'epoch', of: () => undefined }),
    };
    const replica: Pick<Replica, 'poll' | 'hasReached' | 'mayHaveReached' | 'read' | 'close'> = {
      read: (from) => from(reads('the replica')),
      poll: async () => undefined,
      hasReached: (_, lsn) => replicaLsn >= lsn,
      mayHaveReached: (lsn) => replicaLsn >= lsn,
      close: async () => undefined,
    };
    const replicas = await startReplicas(userLsns as UserLsns, [replica as Replica]);
    const server = async (): Promise<unknown> => {
      const context = { actor: aUser().id };
      const statement = { name: 'which', text: 'select which' };
      return (await replicas.readsFor(context, reads('the primary')).query(statement, []))[0];
    };

    await pass(10);
    expect(await server()).to.equal('the replica');
    primaryLsn = 200;
    await pass(4);
    expect(await server()).to.equal('the replica');
    await pass(3);
    expect(await server()).to.equal('the primary');
    await replicas.close();
  });
});
