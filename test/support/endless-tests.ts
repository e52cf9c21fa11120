// Tests for `interrupted-run.e2e.test.ts`: one starts a server of each kind, reports where they are, and waits for the end of the run.
import { writeFileSync } from 'node:fs';
import { startServer } from '../bootstrap/support/server.ts';
import { enterLayer } from './layers.ts';
import { freshMariaDb } from './mariadb.ts';
import { mariadbIsMissing } from './mariadb-server.ts';
import { freshDatabase } from './postgres.ts';
import { temporaryFolder } from './temporary.ts';
import { folderOfRun } from './test-run.ts';

const { STARTED_FILE: file = '' } = process.env;

describe('A run of tests', () => {
  const place = temporaryFolder();

  it('goes on until it is interrupted', async function () {
    this.timeout(0);
    enterLayer('e2e');
    const postgres = await freshDatabase();
    const mariadb = mariadbIsMissing === undefined ? await freshMariaDb() : undefined;
    const { client } = await startServer({ DATABASE_URL: `sqlite:${place('shop.db')}` });
    const rows = [
      ...(await postgres.query('show data_directory')),
      ...((await mariadb?.query('select @@datadir')) ?? []),
    ];
    const started = {
      urls: [postgres.url, client.base, ...(mariadb ? [mariadb.url] : [])],
      folders: [...rows.flatMap(Object.values), place(), folderOfRun()],
    };
    writeFileSync(file, JSON.stringify(started));
    await new Promise(() => undefined);
  });
});
