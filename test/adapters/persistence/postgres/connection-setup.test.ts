import { expect } from 'chai';
import { transactionSettings } from '#adapters/persistence/postgres/connection/connection-setup.ts';

describe('A transaction on PostgreSQL', () => {
  it('is limited in time for a lock, for a statement, and for a process that hangs in between', () => {
    const { text } = transactionSettings(10_000).statement;
    // A lock times out before its statement does, so that the error names the lock.
    for (const [name, milliseconds] of [
      ['lock_timeout', 8_000],
      ['statement_timeout', 10_000],
      ['idle_in_transaction_session_timeout', 10_000],
    ] as const)
      expect(text).to.include(`set_config('${name}', '${milliseconds}', true)`);
  });
});
