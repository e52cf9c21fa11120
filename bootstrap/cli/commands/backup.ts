import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoreKind } from '#adapters/persistence/store-kind.ts';
import { keyFileOf } from '#adapters/secrets/secret-keys.ts';
import { createFolder } from '#adapters/support/folder.ts';
import { isPersistent, keptFileOf, storeKindOf } from '../../composition/ports/store-kind.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import { SettingError } from '../../config/env-parser.ts';
import { placesOf, storeKinds } from '../../config/store-kinds.ts';
import { command, flag, nonEmpty, required } from '../framework/command.ts';
import { type ExitCode, exitCodeForSignal, exitCodes, folderNamed } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';
import { loadSettings } from '../load-settings.ts';

export const backup = command({
  name: 'backup',
  description: 'Copy the SQLite database to a file, while servers are running.',
  details: [
    'The backup holds the database as it was when the command began. The file appears when it is complete, synced and verified. For PostgreSQL see docs/operations.md.',
    'The key of webhook secrets is not in it, so that a backup discloses none. It is in SECRETS_KEY, or in the file beside the database that ends in .secrets-key: keep a copy of it elsewhere.',
  ],
  operands: {
    file: required('FILE', { description: 'The backup to create. It must not exist.', parse: nonEmpty }),
  },
  options: { quiet: flag('Print nothing on success.') },
  run: async ({ file: to, quiet }, terminal) => {
    const { file: from, copy, module } = configuredFile();
    const keyFile = module === undefined ? keyFileOf(from) : undefined;
    const keyAdvice =
      keyFile !== undefined && existsSync(keyFile)
        ? ` The key of webhook secrets is not in it: keep a copy of ${keyFile} elsewhere.`
        : '';
    const summary = (size: string) => `Backed up ${size} to ${to} and verified the copy.${keyAdvice}`;
    return copyDatabase({ copy, from, to, quiet, summary }, terminal);
  },
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
    const { file: to, copy, module } = configuredFile();
    if (module === undefined) {
      await requireFile(file);
      await createFolder(dirname(to));
    }
    const summary = (size: string) => `Restored ${size} to ${module?.file ?? to} and verified it.`;
    return copyDatabase({ copy, from: file, to, quiet, summary }, terminal);
  },
});

/** @throws UsageError for a folder, and the system's error when there is nothing */
const requireFile = async (file: string): Promise<void> => {
  if ((await stat(file)).isDirectory()) throw folderNamed(file);
};

interface CopyOptions {
  readonly copy: NonNullable<StoreKind['backup']>;
  readonly from: string;
  readonly to: string;
  readonly quiet: boolean;
  /** The final message. @param size such as `1.5 MiB` */
  readonly summary: (size: string) => string;
}

/** Copies a database from one file to another and shows the progress. */
const copyDatabase = async (
  { copy, from, to, quiet, summary }: CopyOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const signal = terminal.interruptSignal();
  const progress = terminal.progress(!quiet);
  const show = (pages: number, total: number) =>
    progress.update({ done: pages, share: pages / Math.max(total, 1), unit: 'pages' });
  const size = await copy({ from, to, signal, show }).finally(progress.end);
  if (size === undefined) return exitCodeForSignal(signal);
  if (!quiet) await terminal.notify(summary(formatMebibytes(size)));
  return exitCodes.success;
};

const formatMebibytes = (bytes: number): string =>
  `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`;

interface Configured extends Pick<CopyOptions, 'copy'> {
  /** For a store from outside, the whole of its URL, which only the module reads. */
  readonly file: string;
  readonly module?: AdapterModule | undefined;
}

/** The file of the settings, and how to copy it. @throws SettingError when they name a database without backups */
const configuredFile = (): Configured => {
  const { database } = loadSettings();
  const { module } = database;
  const { backup: copy, product } = storeKindOf(database);
  const file = module === undefined ? keptFileOf(database) : database.url;
  if (copy !== undefined && file !== undefined) return { copy, file, module };
  const needed = `must name ${placesOf(storeKinds.filter((kind) => 'backup' in kind))} for this command.`;
  throw new SettingError(
    'DATABASE_URL',
    isPersistent(database)
      ? `${needed} For ${product} use its own tools: see docs/operations.md.`
      : `${needed} A database in memory ends with its process.`,
  );
};
