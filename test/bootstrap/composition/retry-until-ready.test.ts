import { expect } from 'chai';
import { Client } from 'pg';
import { mariadbKind } from '#adapters/persistence/mariadb/kind.ts';
import { postgresKind } from '#adapters/persistence/postgres/kind.ts';
import { sqliteKind } from '#adapters/persistence/sqlite/kind.ts';
import type { StoreKind } from '#adapters/persistence/store-kind.ts';
import { UnavailableError } from '#application/errors.ts';
import { errorLines } from '#bootstrap/cli/error-messages.ts';
import { retryUntilReady } from '#bootstrap/composition/listeners/retry-until-ready.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { PostgresServer } from '#test/support/postgres-server.ts';
import { until } from '#test/support/until.ts';
import { startServer } from '../support/server.ts';

/** An error as the adapter throws it. */
const failure = (fields: object): UnavailableError =>
  new UnavailableError('database-unavailable', Object.assign(new Error('WSREP has not yet'), fields));

/** A step that fails with each error in turn, and then succeeds. */
const failing = (...errors: Error[]) => {
  const left = [...errors];
  return async () => {
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'opened';
  };
};

describe('A start whose database is not ready', () => {
  const reasons: string[] = [];
  const startOn = (kind: StoreKind, timeoutMs?: number) =>
    retryUntilReady(kind, (reason) => reasons.push(reason), timeoutMs);
  beforeEach(() => reasons.splice(0));

  it('tries each step again, and says so once', async () => {
    const untilReady = startOn(mariadbKind);
    const joining = failure({ errno: 1047 });
    expect(await untilReady(failing(joining, failure({ errno: 1927 })))).to.equal('opened');
    expect(await untilReady(failing(failure({ code: 'PROTOCOL_CONNECTION_LOST' })))).to.equal('opened');
    expect(reasons).to.deep.equal(['Its node is joining the cluster, or has lost it.']);
  });

  it('counts what PostgreSQL says, and what PgBouncer passes on of it', async () => {
    for (const code of ['57P01', '57P02', '57P03']) {
      expect(await startOn(postgresKind)(failing(failure({ code })))).to.equal('opened');
    }
    const message = 'server login has been failing, cached error: the database system is starting up';
    const passedOn = failure({ code: '08P01', message });
    expect(await startOn(postgresKind)(failing(passedOn))).to.equal('opened');
    expect(new Set(reasons)).to.deep.equal(new Set(['It is starting up, shutting down or recovering.']));
  });

  it('ends with one line when the time is over', async () => {
    const step = () => Promise.reject(failure({ code: 'ETIMEDOUT' }));
    const error = await rejectionOf(startOn(mariadbKind, 400)(step));
    expect(errorLines(error)).to.deep.equal([
      'DATABASE_URL names a database that cannot be used: It was not ready within 0 seconds. It does not respond in time.',
    ]);
  });

  it('fails at once where another try would fail too', async () => {
    for (const [kind, fields] of [
      [mariadbKind, { code: 'ECONNREFUSED', errno: -111 }],
      [mariadbKind, { code: 'ER_ACCESS_DENIED_ERROR', errno: 1045 }],
      [sqliteKind, { code: 'ETIMEDOUT' }],
      [postgresKind, { code: 'ECONNREFUSED', errno: -111 }],
      [postgresKind, { code: '28P01' }],
      [postgresKind, { code: '08P01' }],
    ] as const) {
      const error = failure(fields);
      expect(await rejectionOf(startOn(kind)(failing(error)))).to.equal(error);
    }
    expect(reasons).to.deep.equal([]);
  });
});

describe('A start while PostgreSQL recovers', function () {
  this.timeout(60_000);
  let database: PostgresServer;
  before(async () => {
    // It looks for each part of an archive that has nothing, and for a second each time.
    database = await PostgresServer.make(['restore_command=sleep 1; false', 'hot_standby=off']);
  });
  after(() => database.remove());

  const codeOfConnecting = async (): Promise<string> => {
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return 'connected';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  };

  it('waits until the database serves, and says so', async () => {
    await database.recoverAtNextStart();
    await database.start(false);
    await until(codeOfConnecting, (code) => code === '57P03');
    const { program, client } = await startServer({ DATABASE_URL: database.url });
    try {
      expect(program.errors).to.match(
        /"reason":"It is starting up, shutting down or recovering\.","msg":"The database is not ready\. The start waits for it\."/,
      );
      expect((await client.get('/v1/products')).status).to.equal(200);
    } finally {
      program.kill();
    }
  });
});
