import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesFolder } from './databases-folder.ts';

/** The content of a migrated file, which takes less time than migrations: one for each process. */
let template: Promise<Buffer> | undefined;

const migrate = async (): Promise<Buffer> => {
  const { file, remove } = await folderForFile();
  const { openSqlite } = await import('#adapters/persistence/sqlite/open.ts');
  await (await openSqlite({ file })).close();
  const content = await readFile(file);
  // At once: a process that is killed would leave it.
  await remove();
  return content;
};

/** Makes a migrated SQLite file without any row, whose feed is its own. @returns its name */
export const migratedFile = async (file: string): Promise<string> => {
  template ??= migrate();
  await writeFile(file, await template, { mode: 0o600, flag: 'wx' });
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
