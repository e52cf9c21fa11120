import { configuredFile, copyDatabase } from '../copy-database.ts';
import { command, flag, nonEmpty, required } from '../framework/command.ts';

export const backup = command({
  name: 'backup',
  description: 'Copy the SQLite database to a file, while servers are running.',
  details: [
    'The backup holds the database as it was when the command began. The file appears when it is complete, synced and verified. For PostgreSQL see docs/operations.md.',
  ],
  operands: {
    file: required('FILE', { description: 'The backup to create. It must not exist.', parse: nonEmpty }),
  },
  options: { quiet: flag('Print nothing on success.') },
  run: ({ file, quiet }, terminal) =>
    copyDatabase(
      {
        from: configuredFile(),
        to: file,
        quiet,
        summary: (size) => `Backed up ${size} to ${file} and verified the copy.`,
      },
      terminal,
    ),
});
