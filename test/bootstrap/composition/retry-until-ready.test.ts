import { expect } from 'chai';
import { mariadbKind } from '#adapters/persistence/mariadb/kind.ts';
import { sqliteKind } from '#adapters/persistence/sqlite/kind.ts';
import type { StoreKind } from '#adapters/persistence/store-kind.ts';
import { UnavailableError } from '#application/errors.ts';
import { errorLines } from '#bootstrap/cli/error-messages.ts';
import { retryUntilReady } from '#bootstrap/composition/retry-until-ready.ts';
import { rejectionOf } from '#test/contracts/harness.ts';

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
    ] as const) {
      const error = failure(fields);
      expect(await rejectionOf(startOn(kind)(failing(error)))).to.equal(error);
    }
    expect(reasons).to.deep.equal([]);
  });
});
