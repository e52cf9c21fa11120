import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { Client as PostgresClient } from 'pg';
import type { Client } from '../../http/support/client.ts';
import { expectProblem } from '../../http/support/protocol.ts';
import { pay } from '../../http/support/shop.ts';
import { fillDisk } from '../../support/fill-disk.ts';
import { PostgresServer } from '../../support/postgres-server.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { appsOfEachTest } from '../support/apps.ts';
import { anOrder } from './metered.ts';

const product = { name: 'Tea', description: 'x'.repeat(4_000), price: { amount: 1, currency: 'EUR' } };

/** The user as which PostgreSQL runs where the tests run as root. */
const userOfPostgres = 65_534;

/** Keeps each file of the log, as where the archive cannot be reached. */
const failingArchive = ['min_wal_size=32MB', 'max_wal_size=48MB', 'archive_mode=on', 'archive_command=false'];

/** Runs statements with a connection of their own, and returns the first column of the last row. */
const query = async (url: string, ...statements: readonly string[]): Promise<string> => {
  const client = new PostgresClient({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let value = '';
    for (const statement of statements) {
      const { rows } = await client.query({ text: statement, rowMode: 'array' });
      value = `${rows[0]?.[0]}`;
    }
    return value;
  } finally {
    await client.end();
  }
};

describe('The full disk of a PostgreSQL server', () => {
  const inFolder = temporaryFolder();
  const apps = appsOfEachTest({ OPS_PORT: '', LOG_LEVEL: 'info' });
  let mounted: string | undefined;
  let database: PostgresServer | undefined;
  afterEach(async () => {
    await apps.end();
    await database?.remove();
    if (mounted !== undefined) spawnSync('umount', ['-l', mounted]);
    [database, mounted] = [undefined, undefined];
  });

  const mountSmallDisk = (test: Context, name: string, size: string): string => {
    const folder = inFolder(name);
    mkdirSync(folder);
    // Only its owner may enter a temporary folder, and PostgreSQL runs as another user.
    chmodSync(inFolder(), 0o755);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=1777`, 'tmpfs', folder]).status !== 0) {
      console.log('      (skipped: mounting a small disk needs root)');
      test.skip();
    }
    mounted = folder;
    return folder;
  };

  const create = (client: Client) => client.post('/v1/products', product);
  const untilRejected = (client: Client) =>
    until(
      () => create(client),
      ({ status }) => status === 503,
    );
  const untilCreated = (client: Client) =>
    until(
      () => create(client),
      ({ status }) => status === 201,
    );

  it('rejects changes and serves reads, and accepts changes when there is room', async function () {
    const disk = mountSmallDisk(this, 'tables', '48m');
    database = await PostgresServer.make();
    await database.start();
    const tables = `${disk}/tables`;
    mkdirSync(tables, { mode: 0o700 });
    chownSync(tables, userOfPostgres, userOfPostgres);
    await query(
      database.url,
      `create tablespace small location '${tables}'`,
      'create database shop tablespace small',
    );
    const { app, client, log } = await apps.start({
      DATABASE_URL: database.url.replace(/postgres$/, 'shop'),
    });
    const order = await anOrder(client);
    const filler = `${disk}/filler`;
    fillDisk(filler);
    expectProblem(await untilRejected(client), '503 SERVICE_UNAVAILABLE');
    expect(log.text).to.include('No space left on device');
    expect(log.lines.some(({ reason }) => reason === 'database_unavailable')).to.equal(true);
    expect((await client.get('/v1/products')).status).to.equal(200);
    expectProblem(await pay(client, order), '503 SERVICE_UNAVAILABLE');
    expect((await fetch(`${app.opsUrl}/readyz`)).status).to.equal(200);
    rmSync(filler);
    await untilCreated(client);
    expect((await pay(client, order)).status).to.equal(201);
  });

  it('stops the server where its log has no room, and it recovers by itself when it is started', async function () {
    const disk = mountSmallDisk(this, 'log', '64m');
    database = await PostgresServer.make(failingArchive);
    await database.start();
    const { url } = database;
    const data = await query(url, 'show data_directory');
    await database.stop();
    spawnSync('cp', ['-a', `${data}/pg_wal`, `${disk}/pg_wal`]);
    renameSync(`${data}/pg_wal`, `${data}/before`);
    symlinkSync(`${disk}/pg_wal`, `${data}/pg_wal`);
    await database.start();
    const { app, client } = await apps.start({ DATABASE_URL: url });
    await untilCreated(client);
    fillDisk(`${disk}/filler`);
    await query(url, 'create table filling (x text)');
    const fillLog = () =>
      query(url, "insert into filling values ('x')", 'select pg_switch_wal()').catch(() => 'stopped');
    await until(fillLog, (outcome) => outcome === 'stopped');
    expectProblem(await untilRejected(client), '503 SERVICE_UNAVAILABLE');
    expectProblem(await client.get('/v1/products'), '503 SERVICE_UNAVAILABLE');
    expect((await fetch(`${app.opsUrl}/readyz`)).status).to.equal(503);
    await database.stop();
    rmSync(`${disk}/filler`);
    await database.start();
    await untilCreated(client);
    expect((await client.get('/v1/products')).body.data).to.have.length.above(1);
  });
});
