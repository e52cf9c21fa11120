import { expect } from 'chai';
import { mariadbKind } from '#adapters/persistence/mariadb/kind.ts';
import { postgresKind } from '#adapters/persistence/postgres/kind.ts';
import { sqliteKind } from '#adapters/persistence/sqlite/kind.ts';
import type { StoreKind } from '#adapters/persistence/store-kind.ts';
import { UnavailableError } from '#application/errors.ts';
import { errorLines } from '#bootstrap/cli/error-messages.ts';
import { retryUntilReady } from '#bootstrap/composition/listeners/retry-until-ready.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

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
  let time: SimulatedTime;
  const reasons: string[] = [];
  const startOn = (kind: StoreKind) => retryUntilReady(kind, (reason) => reasons.push(reason));
  beforeEach(() => {
    reasons.splice(0);
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  it('tries each step again, and says so once', async () => {
    const untilReady = startOn(mariadbKind);
    const joining = failure({ errno: 1047 });
    expect(await time.settle(untilReady(failing(joining, failure({ errno: 1927 }))))).to.equal('opened');
    expect(await time.settle(untilReady(failing(failure({ code: 'PROTOCOL_CONNECTION_LOST' }))))).to.equal(
      'opened',
    );
    expect(reasons).to.deep.equal(['Its node is joining the cluster, or has lost it.']);
  });

  it('counts what PostgreSQL says, and what PgBouncer passes on of it', async () => {
    for (const code of ['57P01', '57P02', '57P03']) {
      expect(await time.settle(startOn(postgresKind)(failing(failure({ code }))))).to.equal('opened');
    }
    const message = 'server login has been failing, cached error: the database system is starting up';
    const passedOn = failure({ code: '08P01', message });
    expect(await time.settle(startOn(postgresKind)(failing(passedOn)))).to.equal('opened');
    expect(new Set(reasons)).to.deep.equal(new Set(['It is starting up, shutting down or recovering.']));
  });

  it('tries four times a second, and ends with one line after 30 seconds', async () => {
    let tries = 0;
    const step = () => {
      tries += 1;
      return Promise.reject(failure({ code: 'ETIMEDOUT' }));
    };
    const begun = time.now;
    const error = await time.settle(rejectionOf(startOn(mariadbKind)(step)), 120_000, 50);
    expect(time.now - begun).to.be.closeTo(30_000, 100);
    expect(tries).to.equal(121);
    expect(errorLines(error)).to.deep.equal([
      'DATABASE_URL names a database that cannot be used: It was not ready within 30 seconds. It does not respond in time.',
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
