import { expect } from 'chai';
import type { PoolClient } from 'pg';
import type { ConnectionPool } from '#adapters/persistence/postgres/connection/pool.ts';
import { readYourWrites } from '#adapters/persistence/postgres/replicas/read-your-writes.ts';
import type { UserLsns } from '#adapters/persistence/postgres/replicas/user-lsn.ts';
import { aUser } from '#test/contracts/samples.ts';
import { ofEachTest } from '#test/support/of-each-test.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

describe('The record of how far a replica must be, behind a commit', () => {
  ofEachTest(() => new SimulatedTime());

  it('may take two seconds for one user, and 300 ms for several, and then leaves each to be recorded alone', async () => {
    for (const [users, milliseconds] of [
      [1, 2_000],
      [2, 300],
    ] as const) {
      let limit = 0;
      const returned: unknown[] = [];
      const lsns: Pick<UserLsns, 'record'> = {
        record: async (_, deadline = 0) => {
          limit = deadline - performance.now();
          throw new Error('Not now.');
        },
      };
      const connections: Pick<ConnectionPool, 'rollbackAndRelease'> = {
        rollbackAndRelease: async (_, reason) => {
          returned.push(reason);
        },
      };
      const { recordAndRelease } = readYourWrites(connections as ConnectionPool, lsns as UserLsns);
      const ids = Array.from({ length: users }, () => aUser().id);
      expect(await recordAndRelease({} as PoolClient, ids)).to.equal(false);
      expect(limit).to.equal(milliseconds);
      expect(returned).to.have.lengthOf(1);
    }
  });
});
