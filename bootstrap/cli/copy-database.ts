import { SettingError } from '../config/env-parser.ts';
import { loadConfig } from '../config/load.ts';
import { type ExitCode, exitCodeForSignal, exitCodes } from './framework/exit-codes.ts';
import type { Terminal } from './framework/terminal.ts';

interface Task {
  readonly from: string;
  readonly to: string;
  readonly quiet: boolean;
  /** What is said when it is done, behind the size. */
  readonly done: string;
}

/** Copies a database of SQLite from one file to another, and says how far it is. */
export const copyDatabase = async (
  { from, to, quiet, done }: Task,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { backupSqlite } = await import('#adapters/persistence/sqlite/files/backup.ts');
  const signal = terminal.interruptSignal();
  const progress = terminal.progress(!quiet);
  const show = (pages: number, all: number) =>
    progress.update({ done: pages, share: pages / Math.max(all, 1), unit: 'pages' });
  const size = await backupSqlite({ from, to, signal, show }).finally(progress.end);
  if (size === undefined) return exitCodeForSignal(signal);
  if (!quiet) await terminal.notify(`${mebibytes(size)} MiB ${done}`);
  return exitCodes.success;
};

const mebibytes = (bytes: number): string =>
  (bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 });

/** The file of the database that the settings name. @throws SettingError when it is none of SQLite's */
export const ownFile = (): string => {
  const { database } = loadConfig();
  if (database.kind === 'sqlite' && database.file !== ':memory:') return database.file;
  throw new SettingError(
    'DATABASE_URL',
    database.kind === 'postgres'
      ? 'takes a file of SQLite here. PostgreSQL has tools of its own for this: docs/operations.md says how.'
      : 'takes a file of SQLite here: what is in memory is gone with its process.',
  );
};
