import { expect } from 'chai';
import { unavailable } from '#adapters/persistence/sql/constraint-errors.ts';
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
