import { existsSync } from 'node:fs';
import type { Portico } from '#application/application.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { NewId } from '#application/ports/ids.ts';
import { containerFor } from '../composition/container.ts';
import { shutdown } from '../composition/shutdown.ts';
import { tokens } from '../composition/tokens.ts';
import { type Database, isPersistent } from '../config/database.ts';
import { SettingError } from '../config/env-parser.ts';
import { loadConfig } from '../config/load.ts';

/** The application on the store that the settings name, without anything that listens or works unasked. */
interface Opened {
  readonly portico: Portico;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Opens the store, brings its tables up to date, and closes it again when the command is done. */
export const withPortico = async <T>(use: (opened: Opened) => Promise<T>): Promise<T> => {
  const config = loadConfig();
  requireKept(config.database);
  const container = containerFor(config);
  try {
    const portico = await container.getAsync(tokens.portico);
    const clock = await container.getAsync(tokens.clock);
    const newId = await container.getAsync(tokens.newId);
    return await use({ portico, clock, newId });
  } finally {
    await shutdown(container);
  }
};

/** As `withPortico`, where there is a database already: whoever only looks makes none. @throws SettingError */
export const withPorticoThere = async <T>(use: (opened: Opened) => Promise<T>): Promise<T> => {
  const { database } = loadConfig();
  if (isPersistent(database) && database.kind === 'sqlite' && !existsSync(database.file)) {
    const remedy = `names ${database.file}, and there is no such database yet: portico start makes it.`;
    throw new SettingError('DATABASE_URL', remedy);
  }
  return withPortico(use);
};

/** @throws SettingError when all that the command does would be gone with it */
export const requireKept = (database: Database): void => {
  if (!isPersistent(database)) {
    throw new SettingError(
      'DATABASE_URL',
      'takes a file or a PostgreSQL database here: what is in memory ends with this command.',
    );
  }
};
