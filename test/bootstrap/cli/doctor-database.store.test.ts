import { expect } from 'chai';
import { checkDatabase } from '#bootstrap/cli/doctor/database.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { linesOf } from '../support/findings.ts';

describe('The doctor, of a database of PostgreSQL', () => {
  let database: Database;
  before(async () => {
    database = await freshDatabase();
  });
  after(() => database.drop());

  it('distinguishes one that is up to date from an empty and a newer one', async () => {
    const { url } = database;
    const postgres = { kind: 'postgres', url } as const;
    expect(linesOf(await checkDatabase(postgres))).to.include(
      'ok migrations: the first start creates the tables',
    );
    await (await startApp(readConfig({ DATABASE_URL: url, PORT: '0', OPS_PORT: '0' }))).close();
    const [found, ...others] = await checkDatabase(postgres);
    expect(found?.message).to.match(/^PostgreSQL \d+\S* at \S+\/portico_\d+_\d+ is reachable$/);
    expect(linesOf(others)).to.deep.equal([
      'ok migrations: the tables are up to date',
      'ok clock: the database and this machine agree on the time',
    ]);
    await database.query("insert into mikro_orm_migrations (name) values ('9999-later')");
    expect((await checkDatabase(postgres))[1]).to.include({ check: 'migrations', state: 'warn' });
  });
});
