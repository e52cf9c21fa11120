import { expect } from 'chai';
import { createSequencer } from '#adapters/persistence/postgres/run-in-transaction.ts';

describe('A sequencer', () => {
  /** Queues a task, and notes when it begins and ends. It ends when the test says so. */
  const watched = () => {
    const inTurn = createSequencer();
    const noted: string[] = [];
    const ask = (name: string, mayShare: boolean) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const over = inTurn(async () => {
        noted.push(`${name} begins`);
        await promise;
        noted.push(`${name} ends`);
      }, mayShare);
      return {
        end: async () => {
          resolve();
          await over;
          await settled();
        },
      };
    };
    return { ask, noted };
  };

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('runs tasks one after the other', async () => {
    const { ask, noted } = watched();
    const [one, other] = [ask('one', false), ask('other', false)];
    await settled();
    expect(noted).to.deep.equal(['one begins']);
    await one.end();
    await other.end();
    expect(noted).to.deep.equal(['one begins', 'one ends', 'other begins', 'other ends']);
  });

  it('runs neighbours that may share a turn side by side, and no other task in between', async () => {
    const { ask, noted } = watched();
    const before = ask('before', false);
    const [one, other] = [ask('one', true), ask('other', true)];
    const behind = ask('behind', false);
    await before.end();
    expect(noted.slice(2)).to.deep.equal(['one begins', 'other begins']);
    await other.end();
    expect(noted).not.to.include('behind begins');
    await one.end();
    expect(noted).to.include('behind begins');
    await behind.end();
  });

  it('shares no turn across a task that must run alone', async () => {
    const { ask, noted } = watched();
    const one = ask('one', true);
    const alone = ask('alone', false);
    const other = ask('other', true);
    await one.end();
    expect(noted).to.deep.equal(['one begins', 'one ends', 'alone begins']);
    await alone.end();
    expect(noted).to.include('other begins');
    await other.end();
  });

  it('goes on behind a task that fails', async () => {
    const inTurn = createSequencer();
    const failing = inTurn(() => Promise.reject(new Error('No.')), true);
    const beside = inTurn(async () => 'beside', true);
    const behind = inTurn(async () => 'behind');
    expect(await failing.catch(({ message }: Error) => message)).to.equal('No.');
    expect(await Promise.all([beside, behind])).to.deep.equal(['beside', 'behind']);
  });
});
