import { expect } from 'chai';
import { migrate } from '#adapters/persistence/schema/migrate.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { checkTexts } from '#bootstrap/cli/doctor/texts.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { aProduct } from '../../contracts/samples.ts';
import { inStoreAt } from '../../support/store-at.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

const timeLimitMs = 60_000;

describe('The doctor on stored texts', () => {
  const folder = temporaryFolder();

  it('is part of portico doctor, and does not make it fail', async () => {
    const settings = { DATABASE_URL: `sqlite:${folder('shop.db')}`, PORT: '0', OPS_PORT: '0' };
    await inStoreAt(settings.DATABASE_URL, ({ unitOfWork }) =>
      unitOfWork.run(({ products }) => products.add({ ...aProduct(), name: 'Tea ' })),
    );
    for (const words of [
      ['doctor', '--json'],
      ['doctor', '--json', '--production'],
    ]) {
      const { code, output } = await runHere(words, settings);
      const { state, says } = JSON.parse(output).find(({ check }: { check: string }) => check === 'texts');
      expect(state).to.equal('warn');
      expect(says).to.match(
        /^1 of 1 row has a text that breaks a rule for new ones: product .* \(name must not end with a space\)$/,
      );
      if (words.length === 2) expect(code).to.equal(0);
    }
  });

  it('does not touch a database that waits for its migrations', async () => {
    const file = folder('old.db');
    const orm = sqliteOrm(file, 1_000);
    await migrate(orm, []);
    await orm.close();
    const { database } = readConfig({ DATABASE_URL: `sqlite:${file}` });
    expect(await checkTexts(database, { timeLimitMs })).to.deep.equal([]);
    expect(await checkTexts(readConfig({ DATABASE_URL: 'memory:' }).database, { timeLimitMs })).to.deep.equal(
      [],
    );
  });
});
