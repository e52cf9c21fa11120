import { dirname } from 'node:path';
import { createFolder } from '#adapters/persistence/sqlite/files/folder.ts';
import { configuredFile, copyDatabase } from '../copy-database.ts';
import { command, flag, nonEmpty, required } from '../framework/command.ts';

export const restore = command({
  name: 'restore',
  description: 'Puts a backup where DATABASE_URL says, provided that nothing is there.',
  details: [
    'No server may be at work there. Move an old database away first, and with it the files beside it that end in -wal and -shm. What was paid since the backup is charged and not known here any more: read docs/operations.md before clients are let in again.',
  ],
  operands: { file: required('FILE', { description: 'What backup has made.', parse: nonEmpty }) },
  options: { quiet: flag('Says nothing when all is well.') },
  run: async ({ file, quiet }, terminal) => {
    const to = configuredFile();
    await createFolder(dirname(to));
    return copyDatabase(
      { from: file, to, quiet, outcome: `restored into ${to}, and found whole.` },
      terminal,
    );
  },
});
