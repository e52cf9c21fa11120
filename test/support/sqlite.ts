import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { filesFolder } from './databases-folder.ts';

/** A migrated file, whose copies are made faster than it was: one for each process. */
let template: Promise<string> | undefined;

const migrate = async (): Promise<string> => {
  const folder = mkdtempSync(join(filesFolder(), 'portico-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'portico.db');
  const { openSqlite } = await import('#adapters/persistence/sqlite/open.ts');
  await (await openSqlite({ file })).close();
  return file;
};

/** Makes a migrated SQLite file without any row, whose feed is its own. @returns its name */
export const migratedFile = async (file: string): Promise<string> => {
  template ??= migrate();
  await copyFile(await template, file);
  const [{ default: Database }, { renewCopiedFeed }] = await Promise.all([
    import('better-sqlite3'),
    import('#adapters/persistence/sqlite/files/copied-feed.ts'),
  ]);
  const copy = new Database(file);
  renewCopiedFeed(copy, randomUUID());
  copy.close();
  return file;
};

/** A folder for one SQLite file, `portico.db`. */
export const folderForFile = async () => {
  const folder = await mkdtemp(join(filesFolder(), 'portico-'));
  return {
    file: join(folder, 'portico.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
