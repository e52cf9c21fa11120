import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

describe('The command line on an in-memory database', () => {
  it('rejects commands whose changes would be lost at their end', async () => {
    for (const address of ['memory:', 'sqlite::memory:']) {
      const { code, errors } = await runHere(['keys', 'create', '--admin'], { DATABASE_URL: address });
      expect(code).to.equal(1);
      expect(errors).to.match(
        /^portico: DATABASE_URL must name a SQLite file, a PostgreSQL database or a MariaDB database: .*\n$/,
      );
    }
  });
});

describe('The command line without a database file', () => {
  const folder = temporaryFolder();

  it('does not create one for a command that only reads', async () => {
    const settings = { DATABASE_URL: `sqlite:${folder('none.db')}` };
    const readOnly = [
      ['export', 'products'],
      ['keys', 'list'],
      ['keys', 'create', '--user', 'ada@example.com'],
      ['keys', 'revoke', '01a4b1cf-5d0c-7000-8000-000000000000'],
    ];
    for (const words of readOnly) {
      const { code, output, errors } = await runHere(words, settings);
      expect([code, output], words.join(' ')).to.deep.equal([1, '']);
      expect(errors).to.match(/^portico: DATABASE_URL names \S+none\.db, which does not exist\. .*\n$/);
    }
    expect(existsSync(folder('none.db'))).to.equal(false);
  });
});
