import { expect } from 'chai';
import { unavailable } from '#adapters/persistence/sql/constraint-errors.ts';
import { ApplicationError, ProviderMismatch } from '#application/errors.ts';
import { errorLines } from '#bootstrap/cli/error-messages.ts';

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
    const mismatch = new ProviderMismatch('refund', '1', 'It says 1 EUR where 2 EUR was asked.');
    expect(errorLines(mismatch)).to.deep.equal([
      "The payment provider's response does not match the refund, which stays pending until it is checked. It says 1 EUR where 2 EUR was asked.",
    ]);
  });
});
