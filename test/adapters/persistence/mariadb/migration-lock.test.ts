import { expect } from 'chai';
import { migrateMariaDb } from '#adapters/persistence/mariadb/migrate.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import type { SqlSession } from '#adapters/persistence/sql/session.ts';
import type { Statement } from '#adapters/persistence/sql/sql-table.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

const all = migrationsOf('mariadb').map(({ name }) => ({ name }));

/** A database that another process has migrated before this one gets the lock, as the second read finds. */
const aDatabase = () => {
  const secondLook = Promise.withResolvers<readonly unknown[]>();
  const looks = [Promise.resolve<readonly unknown[]>([]), secondLook.promise];
  const executed: Statement[] = [];
  const session: SqlSession = {
    query: async <Row>() => (await looks.shift()) as readonly Row[],
    execute: async (statement) => {
      executed.push(statement);
      return 1;
    },
  };
  const migrating = migrateMariaDb('mariadb://127.0.0.1/none', session);
  const names = () => executed.map(({ name }) => name);
  return { secondLook, executed, names, migrating };
};

describe('The lock of the migrations on MariaDB', () => {
  let time: SimulatedTime;
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  it('lasts thirty seconds, and is renewed every six while it is held', async () => {
    const { secondLook, executed, names, migrating } = aDatabase();
    await time.pass(29_000, 1_000);
    expect(names()).to.deep.equal(['create_lock', 'acquire_lock', ...Array(4).fill('renew_lock')]);
    for (const { text } of executed.slice(1)) expect(text).to.include('sysdate(3) + interval 30 second');
    secondLook.resolve(all);
    await migrating;
  });

  it('is renewed no more once it was released, also after an error', async () => {
    const [{ secondLook, names, migrating }, failed] = [aDatabase(), aDatabase()];
    const rejection = rejectionOf(failed.migrating);
    await time.pass(10);
    secondLook.resolve(all);
    failed.secondLook.reject(new Error('The connection was lost.'));
    expect(await migrating).to.equal(false);
    expect(await rejection).to.have.property('message', 'The connection was lost.');
    await time.pass(60_000, 1_000);
    for (const executed of [names(), failed.names()])
      expect(executed).to.deep.equal(['create_lock', 'acquire_lock', 'release_lock']);
  });
});
