import { renameSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { readConfig } from '#bootstrap/config/config.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';
import { settingErrorOf } from '../support/settings.ts';

describe('A SQLite URL as other tools write it', () => {
  const place = temporaryFolder();

  const rejected = [
    ['sqlite:/x.db?busy_timeout=5000', /must not have \?: it takes no parameters/],
    ['sqlite:x.db?mode=rwc&cache=shared', /no parameters/],
    ['sqlite:///x.db?vfs=/a/b', /no parameters/],
    ['sqlite:file:/x.db', /must not have file:/],
    ['sqlite:file:x.db?mode=ro', /must not have file:/],
    ['sqlite:///FILE:x.db', /must not have file:/],
    ['sqlite:sqlite:x.db', /must not have sqlite: twice/],
    ['sqlite:~/x.db', /must not begin with ~/],
    ['sqlite:~ada/x.db', /must not begin with ~/],
    ['sqlite:///~/x.db', /must not begin with ~/],
    ['sqlite:"/x.db"', /must not have quotes/],
    ["sqlite:'x.db'", /must not have quotes/],
    ['sqlite:/x.db"', /must not have quotes/],
    [`sqlite:$${'{PWD}'}/x.db`, /must not have the name of a variable/],
    ['sqlite:$HOME/x.db', /must not have the name of a variable/],
    ['sqlite:$(pwd)/x.db', /must not have the name of a variable/],
    ['sqlite:{{ data }}/x.db', /must not have the name of a variable/],
    ['sqlite:%APPDATA%/x.db', /must not have the name of a variable/],
    ['sqlite:%2Fx', /must not have % with two digits/],
    ['sqlite:/var/a%20b.db', /must not have % with two digits/],
    ['sqlite:x.db#y', /must not have # in the name/],
    ['sqlite: x.db', /must not have a space behind sqlite:/],
    ['sqlite:C:\\data\\x.db', /must not begin with a drive/],
    ['sqlite:///d:/x.db', /must not begin with a drive/],
    ['sqlite:data\\x.db', /must not have a backslash/],
    ['sqlite:/data/x.db\\', /must not have a backslash/],
    ['sqlite:x.db\u200b', /must not have invisible characters/],
    ['sqlite:\ufeff/x.db', /must not have/],
    ['sqlite:x.db;Cache=Shared', /must not have options behind the path/],
    ['sqlite:/x.db&mode=ro', /must not have options behind the path/],
    ['sqlite:<file>', /in place of < and >/],
    ['sqlite:///:memory:', /must be sqlite::memory:/],
    ['sqlite:memory:', /must be sqlite::memory:/],
    ['sqlite:', /must be sqlite:<file>/],
    ['sqlite:///', /must name a file, not a folder/],
    ['sqlite:data/', /must name a file, not a folder/],
    ['sqlite:..', /must name a file, not a folder/],
    ['sqlite://data/x.db', /sqlite:<file>.* Write the path behind sqlite:, without slashes/],
    ['file:x.db', /sqlite:<file>.* Write sqlite: in place of file:\.$/],
    ['file:./dev.db?connection_limit=1', /Write sqlite: in place of file:\.$/],
    ['sqlite3:///x.db', /Write sqlite: in place of sqlite3:\.$/],
    ['sqlite+aiosqlite:///x.db', /Write sqlite: in place of sqlite\+aiosqlite:\.$/],
    ['jdbc:sqlite:/x.db', /Write sqlite: in place of jdbc:sqlite:\.$/],
    ['SQLite:x.db', /Write sqlite: in small letters\.$/],
    ['SQLITE://x.db', /Write the path behind sqlite:/],
    ['./data/x.db', /Write sqlite: before the path/],
    ['x.sqlite3', /Write sqlite: before the path/],
  ] as const;

  it('is rejected in one line, which says what to write instead', () => {
    for (const [url, expected] of rejected) {
      expect(settingErrorOf({ DATABASE_URL: url }), url)
        .to.match(/^DATABASE_URL must [^\n]+\.$/)
        .and.match(expected)
        .and.not.match(/x\.db|aiosqlite:\/|ada/);
    }
  });

  it('is none when it is the path of a file with unusual letters', () => {
    for (const file of [
      ...["bob's.db", 'a b.db', '100%.db', '50% off.db', '~x.db', 'a~/x.db', '/srv/~ada/x.db', 'c#/x.db'],
      ...['memory', 'a$.db', 'a:b.db', '/var/file:x.db', 'æ.db', '.db', '...', '/a/../x.db', './x.db'],
      ...['a&b.db', 'a;b.db', 'a=b.db', 'a;b/c=d.db'],
    ]) {
      expect(readConfig({ DATABASE_URL: `sqlite:${file}` }).database.file).to.equal(file);
    }
  });

  it('names the file that an earlier version created, and the path opens it once it is renamed', async () => {
    const settings = { DATABASE_URL: `sqlite:${place('shop.db')}` };
    const words = ['users', 'create', '--email', 'ada@example.com', '--name', 'Ada'];
    expect((await runHere(words, settings)).code).to.equal(0);
    const former = `${place('shop.db')}?busy_timeout=5000`;
    renameSync(place('shop.db'), former);
    writeFileSync(place('other.db'), '');
    const wrong = { DATABASE_URL: `sqlite:${former}` };
    const { code, errors } = await runHere(['keys', 'list'], wrong);
    expect(code).to.equal(1);
    expect(errors).to.match(
      /^portico: DATABASE_URL must not have \?: .* There is a file with exactly that name: [^\n]*rename[^\n]*\.\n$/,
    );
    renameSync(former, place('shop.db'));
    const again = await runHere(words, settings);
    expect(again.errors).to.equal('portico: email is taken already.\n');
    expect(settingErrorOf({ DATABASE_URL: `sqlite:${place('other.db')}?a` })).not.to.include('exactly');
  });
});
