import { expect } from 'chai';
import { unavailable } from '#adapters/persistence/sql/constraint-errors.ts';
import { ApplicationError, ProviderMismatch } from '#application/errors.ts';
import { errorLines } from '#bootstrap/cli/error-messages.ts';

describe('The message for an error of the operating system', () => {
  const failed = (details: object) => Object.assign(new Error('it failed'), details);

  it('says what it means, and which file it is about', () => {
    const [line, ...others] = errorLines(
      failed({ code: 'ENOENT', errno: -2, syscall: 'open', path: 'a.csv' }),
    );
    expect([line, others]).to.deep.equal(['a.csv cannot be used: no such file or directory (ENOENT).', []]);
  });

  it('is not taken for one where a database numbers its errors by itself', () => {
    for (const errno of [1665, 0, -9_999, 2 ** 40, Number.NaN])
      for (const details of [
        { errno },
        { errno, code: 'ER_BINLOG' },
        { errno, code: 'ER_BINLOG', path: 'a' },
      ])
        expect(errorLines(failed(details))[0]).to.equal('Error: it failed');
    const unnamed = failed({ errno: 1665, code: 'ER_BINLOG', syscall: 'open', path: 'a' });
    expect(errorLines(unnamed)).to.deep.equal(['a cannot be used: it failed (ER_BINLOG).']);
  });
});

describe('The message for a full disk', () => {
  it('differs from that for a database that cannot be reached', () => {
    for (const code of ['SQLITE_FULL', '53100']) {
      const [line, ...others] = errorLines(unavailable(Object.assign(new Error('full'), { code })));
      expect(line).to.match(/^The disk of the database is full\. /);
      expect(others).to.deep.equal([]);
    }
  });
});

describe('The message for a payment provider', () => {
  it('that does not respond is one line with its reason, because that is no bug of Portico', () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:1\nand more');
    for (const kind of ['provider-failed', 'provider-timeout'] as const)
      expect(errorLines(new ApplicationError(kind, 'The payment provider failed.', cause))).to.deep.equal([
        'The payment provider failed. Try again when it responds. (connect ECONNREFUSED 127.0.0.1:1)',
      ]);
  });

  it('whose word differs says how', () => {
    const mismatch = new ProviderMismatch('refund', '1', 'It reports 1 EUR where 2 EUR was asked.');
    expect(errorLines(mismatch)).to.deep.equal([
      "The payment provider's response does not match the refund, which stays pending until it is checked. It reports 1 EUR where 2 EUR was asked.",
    ]);
  });
});
