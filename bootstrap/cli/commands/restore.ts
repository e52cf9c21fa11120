import { dirname } from 'node:path';
import { createFolder } from '#adapters/support/folder.ts';
import { configuredFile, copyDatabase } from '../copy-database.ts';
import { command, flag, nonEmpty, required } from '../framework/command.ts';

export const restore = command({
  name: 'restore',
  description: 'Restore a backup to the SQLite file in DATABASE_URL, which must not exist.',
  details: [
    'Stop every server first. Move the old database away, together with the files beside it that end in -wal and -shm.',
    'Payments made after the backup are charged, but unknown to the restored database. Read docs/operations.md before you let clients in again.',
  ],
  operands: {
    file: required('FILE', { description: 'A file that portico backup has created.', parse: nonEmpty }),
  },
  options: { quiet: flag('Print nothing on success.') },
  run: async ({ file, quiet }, terminal) => {
    const to = configuredFile();
    await createFolder(dirname(to));
    const summary = (size: string) => `Restored ${size} to ${to} and verified it.`;
    return copyDatabase({ from: file, to, quiet, summary }, terminal);
  },
});
