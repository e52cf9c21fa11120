import { expect } from 'chai';
import { unavailable } from '#adapters/persistence/sql/constraint-errors.ts';
import { reasonFor } from '#bootstrap/cli/error-messages.ts';

describe('What went wrong', () => {
  it('is told from a database that is named wrongly where only its disk is full', () => {
    for (const code of ['SQLITE_FULL', '53100']) {
      const [line, ...others] = reasonFor(unavailable(Object.assign(new Error('full'), { code })));
      expect(line).to.match(/^The database has no room left, for its disk is full\. /);
      expect(others).to.deep.equal([]);
    }
  });
});
