import { loadConfig } from '../config/config.ts';
import { SettingError } from '../config/env-parser.ts';
import { type ExitCode, exitCodeForSignal, exitCodes } from './framework/exit-codes.ts';
import type { Terminal } from './framework/terminal.ts';

interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly quiet: boolean;
  /** The final message. @param size such as `1.5 MiB` */
  readonly summary: (size: string) => string;
}

/** Copies a SQLite database from one file to another and shows the progress. */
export const copyDatabase = async (
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
export const configuredFile = (): string => {
  const { database } = loadConfig();
  if (database.kind === 'sqlite' && database.file !== ':memory:') return database.file;
  throw new SettingError(
    'DATABASE_URL',
    database.kind === 'postgres'
      ? 'must name a SQLite file for this command. For PostgreSQL use its own tools: see docs/operations.md.'
      : 'must name a SQLite file for this command. A database in memory ends with its process.',
  );
};
