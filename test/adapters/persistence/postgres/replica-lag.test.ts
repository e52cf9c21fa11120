import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Replica } from '#adapters/persistence/postgres/replicas/replica.ts';
import { startReplicas } from '#adapters/persistence/postgres/replicas/replicas.ts';
import type { UserLsns } from '#adapters/persistence/postgres/replicas/user-lsn.ts';
import { directReads } from '#adapters/persistence/sql/direct-session.ts';
import type { ReadSession } from '#adapters/persistence/sql/session.ts';
import { aUser } from '#test/contracts/samples.ts';
import { ofEachTest } from '#test/support/of-each-test.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

const reads = (name: string): ReadSession =>
  directReads({ query: async <Row>() => [name] as readonly unknown[] as readonly Row[] });

describe('A replica that stops replaying', () => {
  const time = ofEachTest(() => new SimulatedTime());

  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      time.rest(1_000);
      time.reach(1_000);
      await endOfTurn();
    }
  };

  /** Replicas over one that has replayed everything, and a primary that may fail. */
  const replicasOf = async () => {
    const state = { primaryLsn: 100, replicaLsn: 100, isPrimaryUnavailable: false, polls: 0, deletions: 0 };
    const userLsns: Pick<UserLsns, 'ensureEpoch' | 'current' | 'deleteExpired' | 'awaitPending' | 'find'> = {
      ensureEpoch: async () => undefined,
      current: async () => {
        if (state.isPrimaryUnavailable) throw new Error('No response.');
        return state.primaryLsn;
      },
      deleteExpired: async () => {
        state.deletions += 1;
      },
      awaitPending: async () => undefined,
      find: async () => ({ epoch: 'epoch', of: () => undefined }),
    };
    const replica: Pick<Replica, 'poll' | 'hasReached' | 'mayHaveReached' | 'read' | 'close'> = {
      read: (from) => from(reads('the replica')),
      poll: async () => {
        state.polls += 1;
      },
      hasReached: (_, lsn) => state.replicaLsn >= lsn,
      mayHaveReached: (lsn) => state.replicaLsn >= lsn,
      close: async () => undefined,
    };
    const replicas = await startReplicas(userLsns as UserLsns, [replica as Replica]);
    const server = async (): Promise<unknown> => {
      const context = { actor: aUser().id };
      const statement = { name: 'which', text: 'select which' };
      return (await replicas.readsFor(context, reads('the primary')).query(statement, []))[0];
    };
    const isReplayed = async (signal = new AbortController().signal) => {
      let done = false;
      const waiting = replicas.untilReplayed(signal).then(() => {
        done = true;
      });
      return { isDone: () => done, waiting };
    };
    return { state, server, isReplayed, close: () => replicas.close() };
  };

  it('by default serves reads until it lags by five seconds', async () => {
    const { state, server, close } = await replicasOf();
    await pass(10);
    expect(await server()).to.equal('the replica');
    state.primaryLsn = 200;
    await pass(4);
    expect(await server()).to.equal('the replica');
    await pass(3);
    expect(await server()).to.equal('the primary');
    await close();
  });

  it('serves no reads once its lag has been unknown for half a minute', async () => {
    const { state, server, close } = await replicasOf();
    await pass(10);
    state.isPrimaryUnavailable = true;
    // The sample that counts is five seconds old by then.
    await pass(24);
    expect(await server()).to.equal('the replica');
    await pass(3);
    expect(await server()).to.equal('the primary');
    await close();
  });

  it('is waited for until it has replayed what was committed before', async () => {
    const { state, isReplayed, close } = await replicasOf();
    await pass(10);
    const early = await isReplayed();
    await time.pass(10);
    expect(early.isDone()).to.equal(true);
    state.primaryLsn = 200;
    const { isDone } = await isReplayed();
    await time.pass(2_000, 10);
    expect(isDone()).to.equal(false);
    // What was committed since does not count.
    state.primaryLsn = 300;
    state.replicaLsn = 200;
    await time.pass(50, 10);
    expect(isDone()).to.equal(true);
    await close();
  });

  it('is not waited for longer than it serves reads, nor after that', async () => {
    const { state, isReplayed, close } = await replicasOf();
    await pass(10);
    state.primaryLsn = 200;
    const { isDone } = await isReplayed();
    await time.pass(4_000, 50);
    expect(isDone()).to.equal(false);
    await time.pass(1_500, 50);
    expect(isDone()).to.equal(true);
    await time.pass(3_000, 50);
    const late = await isReplayed();
    await time.pass(10);
    expect(late.isDone()).to.equal(true);
    await close();
  });

  it('is not waited for once the wait is given up', async () => {
    const { state, isReplayed, close } = await replicasOf();
    await pass(10);
    state.primaryLsn = 200;
    const giveUp = new AbortController();
    const { isDone } = await isReplayed(giveUp.signal);
    await time.pass(500, 10);
    expect(isDone()).to.equal(false);
    giveUp.abort();
    await time.pass(50, 10);
    expect(isDone()).to.equal(true);
    await close();
  });

  it('is polled ten times a second, and LSNs are deleted every ten seconds', async () => {
    const { state, close } = await replicasOf();
    await time.pass(10_050, 50);
    expect(state.polls).to.be.within(95, 102);
    expect(state.deletions).to.equal(2);
    await close();
  });
});
