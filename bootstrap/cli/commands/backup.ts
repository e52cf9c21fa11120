import { dirname } from 'node:path';
import { createFolder } from '#adapters/support/folder.ts';
import { loadConfig } from '../../config/config.ts';
import { SettingError } from '../../config/env-parser.ts';
import { command, flag, nonEmpty, required } from '../framework/command.ts';
import { type ExitCode, exitCodeForSignal, exitCodes } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';

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

interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly quiet: boolean;
  /** The final message. @param size such as `1.5 MiB` */
  readonly summary: (size: string) => string;
}

/** Copies a SQLite database from one file to another and shows the progress. */
const copyDatabase = async (
  { from, to, quiet, summary }: CopyOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { backupSqlite } = await import('#adapters/persistence/sqlite/files/backup.ts');
  const signal = terminal.interruptSignal();
  const progress = terminal.progress(!quiet);
  const show = (pages: number, total: number) =>
    progress.update({ done: pages, share: pages / Math.max(total, 1), unit: 'pages' });
  const size = await backupSqlite({ from, to, signal, show }).finally(progress.end);
  if (size === undefined) return exitCodeForSignal(signal);
  if (!quiet) await terminal.notify(summary(formatMebibytes(size)));
  return exitCodes.success;
};

const formatMebibytes = (bytes: number): string =>
  `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`;

/** The SQLite file of the settings. @throws SettingError when they name another kind of database */
const configuredFile = (): string => {
  const { database } = loadConfig();
  if (database.kind === 'sqlite' && database.file !== ':memory:') return database.file;
  throw new SettingError(
    'DATABASE_URL',
    database.kind === 'postgres'
      ? 'must name a SQLite file for this command. For PostgreSQL use its own tools: see docs/operations.md.'
      : 'must name a SQLite file for this command. A database in memory ends with its process.',
  );
};
