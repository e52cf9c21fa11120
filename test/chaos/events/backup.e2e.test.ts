import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { migratedFile } from '#test/support/sqlite.ts';
import { readBackup } from './secrets.ts';

describe('Chaos', () => {
  it('reads a backup as it would be kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-'));
    const file = join(folder, 'shop.db');
    await migratedFile(file);
    const database = new BetterSqlite3(file);
    database.exec(`create table notes (text text); insert into notes values ('kept in the backup')`);
    database.close();
    expect(await readBackup(`sqlite:${file}`, folder)).to.include('kept in the backup');
    expect(await readBackup('postgres://127.0.0.1:1/shop', folder)).to.equal('');
    await rm(folder, { recursive: true });
  });
});
