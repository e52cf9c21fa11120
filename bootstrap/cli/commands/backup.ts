import { copyDatabase, ownFile } from '../copy-database.ts';
import { command } from '../framework/command.ts';
import { flag, required, words } from '../framework/option.ts';

export const backup = command({
  name: 'backup',
  says: 'Copies the database of SQLite into a file, while servers are at work on it.',
  details: [
    'The copy is the database as it was at the instant when it began. It is there when all of it is on the disk and has been found whole. For PostgreSQL, docs/operations.md says how.',
  ],
  operands: { file: required('FILE', { says: 'Where to. Nothing may be there yet.', read: words }) },
  options: { quiet: flag('Says nothing when all is well.') },
  run: ({ file, quiet }, terminal) =>
    copyDatabase(
      { from: ownFile(), to: file, quiet, done: `copied into ${file}, and found whole.` },
      terminal,
    ),
});
