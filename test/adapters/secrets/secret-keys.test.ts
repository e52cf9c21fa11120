import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { isSecretKey, keyFileOf, keysBeside } from '#adapters/secrets/secret-keys.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const place = { ownerId: '1', secretId: '2' };

describe('The key beside a database in a file', () => {
  const folder = temporaryFolder();
  const database = () => folder('portico.db');
  const file = () => keyFileOf(database());
  const box = (...configured: string[]) => secretBox(keysBeside(database(), configured));
  afterEach(() => {
    rmSync(file(), { recursive: true, force: true });
  });

  it('is created with the first secret, for its owner only, and nothing else stays', async () => {
    expect(
      await box()
        .open('v1.a.b', place)
        .catch((error) => error.kind),
    ).to.equal('unavailable');
    expect(readdirSync(folder())).to.deep.equal([]);
    const sealed = await box().seal('secret', place);
    expect(readdirSync(folder())).to.deep.equal(['portico.db.secrets-key']);
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(isSecretKey(readFileSync(file(), 'utf8').trim())).to.equal(true);
    expect(await box().open(sealed, place)).to.equal('secret');
  });

  it('is one key, however many create it at once', async () => {
    const sealed = await Promise.all(Array.from({ length: 20 }, () => box().seal('secret', place)));
    expect(new Set(sealed.map((text) => text.split('.')[1])).size).to.equal(1);
    for (const one of sealed) expect(await box().open(one, place)).to.equal('secret');
    expect(readdirSync(folder())).to.deep.equal(['portico.db.secrets-key']);
  });

  it('still opens what it has sealed once a setting has another key', async () => {
    const key = Buffer.alloc(32, 9).toString('base64');
    const before = await box().seal('secret', place);
    const after = await box(key).seal('secret', place);
    expect(await box(key).open(before, place)).to.equal('secret');
    rmSync(file());
    expect(await box(key).open(after, place)).to.equal('secret');
    expect(
      await box(key)
        .open(before, place)
        .catch((error) => error.message),
    ).to.match(/^The key of a stored secret/);
  });

  it('is not created anew to seal again what the lost one has sealed', async () => {
    const sealed = await box().seal('secret', place);
    expect(await box().reseal(sealed, place)).to.equal(undefined);
    rmSync(file());
    const { kind } = await box()
      .reseal(sealed, place)
      .catch((error) => error);
    expect(kind).to.equal('unavailable');
    expect(readdirSync(folder())).to.deep.equal([]);
  });

  it('is not created where a setting has a key', async () => {
    await box(Buffer.alloc(32, 9).toString('base64')).seal('secret', place);
    expect(readdirSync(folder())).to.deep.equal([]);
  });

  it('that is damaged is neither used nor replaced', async () => {
    for (const content of ['', 'AAAA', `${'A'.repeat(43)}=\n${'A'.repeat(43)}=`]) {
      writeFileSync(file(), content);
      const { kind, message } = await box()
        .seal('secret', place)
        .catch((error) => error);
      expect({ kind, message }).to.deep.equal({
        kind: 'unavailable',
        message: `${file()} must hold a key: 32 bytes in base64.`,
      });
      expect(readFileSync(file(), 'utf8')).to.equal(content);
    }
  });

  it('that is unusable stops nothing that a setting has sealed, and is named where it is needed', async () => {
    const key = Buffer.alloc(32, 9).toString('base64');
    const before = await box().seal('secret', place);
    const after = await box(key).seal('secret', place);
    const spoil = [
      [() => writeFileSync(file(), ''), 'must hold a key: 32 bytes in base64.'],
      // A folder, because root can read every file.
      [() => mkdirSync(file()), 'cannot be read.'],
    ] as const;
    for (const [change, problem] of spoil) {
      rmSync(file(), { recursive: true, force: true });
      change();
      expect(await box(key).open(after, place)).to.equal('secret');
      expect(await box(key).open(await box(key).seal('another', place), place)).to.equal('another');
      const { kind, message } = await box(key)
        .open(before, place)
        .catch((error) => error);
      expect({ kind, message }).to.deep.equal({ kind: 'unavailable', message: `${file()} ${problem}` });
    }
  });

  it('that cannot be created is an error with the name of the file', async () => {
    const nowhere = secretBox(keysBeside(folder('missing/portico.db'), []));
    const { kind, message } = await nowhere.seal('secret', place).catch((error) => error);
    expect({ kind, message }).to.deep.equal({
      kind: 'unavailable',
      message: `${folder('missing/portico.db')}.secrets-key cannot be created.`,
    });
  });
});
