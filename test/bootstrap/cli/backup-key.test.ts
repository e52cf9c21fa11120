import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

describe('A backup of a database with a key of webhook secrets', () => {
  const folder = temporaryFolder();
  const settings = () => ({ DATABASE_URL: `sqlite:${folder('shop.db')}` });
  const run = (...given: readonly string[]) => runHere(given, settings());

  it('does not have the key, and says so where there is one', async () => {
    const key = Buffer.alloc(32, 77).toString('base64');
    expect((await run('migrate', 'up')).code).to.equal(0);
    const without = await run('backup', folder('one.backup'));
    expect(without.errors).to.match(/^Backed up [\d.]+ MiB to \S+one\.backup and verified the copy\.\n$/);
    writeFileSync(folder('shop.db.secrets-key'), `${key}\n`, { mode: 0o600 });
    const beside = await run('backup', folder('two.backup'));
    expect(beside.errors).to.match(
      /verified the copy\. The key of webhook secrets is not in it: keep a copy of \S+shop\.db\.secrets-key elsewhere\.\n$/,
    );
    expect(readFileSync(folder('two.backup'), 'latin1')).not.to.include(key);
    expect((await run('backup', '--quiet', folder('three.backup'))).errors).to.equal('');
  });
});
