import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { readBackup, secretsIn } from './secrets.ts';

it('Chaos finds the secret of an endpoint in each of its spellings', () => {
  // All bits set: the last of these have letters of their own in each alphabet.
  for (const bytes of [Buffer.alloc(32, 0xff), randomBytes(32)]) {
    const base64 = bytes.toString('base64');
    const has = secretsIn([base64]);
    for (const text of [
      base64,
      encodeURIComponent(base64),
      bytes.toString('base64url'),
      bytes.toString('hex'),
    ])
      expect(has(`{"a":"whsec_${text}"}`), text).to.equal(true);
    expect(has(`{"a":"whsec_${base64.slice(0, 20)}…"}`)).to.equal(false);
    expect(has(randomBytes(32).toString('base64'))).to.equal(false);
  }
});

it('Chaos reads a backup as it would be kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-'));
  const file = join(folder, 'shop.db');
  await (await openSqlite({ file })).close();
  const database = new BetterSqlite3(file);
  database.exec(`create table notes (text text); insert into notes values ('kept in the backup')`);
  database.close();
  expect(await readBackup(`sqlite:${file}`, folder)).to.include('kept in the backup');
  expect(await readBackup('postgres://127.0.0.1:1/shop', folder)).to.equal('');
  await rm(folder, { recursive: true });
});
