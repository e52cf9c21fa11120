import { configuredFile, copyDatabase } from '../copy-database.ts';
import { command, flag, nonEmpty, required } from '../framework/command.ts';

export const backup = command({
  name: 'backup',
  description: 'Copies the database of SQLite into a file, while servers are at work on it.',
  details: [
    'The copy is the database as it was at the instant when it began. It is there when all of it is on the disk and has been found whole. For PostgreSQL, docs/operations.md says how.',
  ],
  operands: {
    file: required('FILE', { description: 'Where to. Nothing may be there yet.', parse: nonEmpty }),
  },
  options: { quiet: flag('Says nothing when all is well.') },
  run: ({ file, quiet }, terminal) =>
    copyDatabase(
      { from: configuredFile(), to: file, quiet, outcome: `copied into ${file}, and found whole.` },
      terminal,
    ),
});
