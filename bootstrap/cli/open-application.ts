import { existsSync } from 'node:fs';
import type { Portico } from '#application/application.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { NewId } from '#application/ports/ids.ts';
import { containerFor } from '../composition/container.ts';
import { closeAll } from '../composition/shutdown.ts';
import { tokens } from '../composition/tokens.ts';
import { type Database, isKept } from '../config/database.ts';
import { SettingError } from '../config/env-parser.ts';
import { configured } from '../config/load.ts';
import { tellV8 } from '../process/tell-v8.ts';

/** The application on the store that the settings name, without anything that listens or works unasked. */
interface Opened {
  readonly portico: Portico;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Opens the store, brings its tables up to date, and closes it again when the command is done. */
export const withPortico = async <T>(use: (opened: Opened) => Promise<T>): Promise<T> => {
  const config = configured();
  requireKept(config.database);
  const container = containerFor(config);
  try {
    const portico = await container.getAsync(tokens.portico);
    const clock = await container.getAsync(tokens.clock);
    const newId = await container.getAsync(tokens.newId);
    stayLean();
    return await use({ portico, clock, newId });
  } finally {
    await closeAll(container);
  }
};

/** As `withPortico`, where there is a database already: whoever only looks makes none. @throws SettingError */
export const withPorticoThere = async <T>(use: (opened: Opened) => Promise<T>): Promise<T> => {
  const { database } = configured();
  if (isKept(database) && database.kind === 'sqlite' && !existsSync(database.file)) {
    const remedy = `names ${database.file}, and there is no such database yet: portico start makes it.`;
    throw new SettingError('DATABASE_URL', remedy);
  }
  return withPortico(use);
};

/**
 * Long work leaves much behind that is soon rubbish. Where the space for what is young does not grow, and that for what is
 * old grows by little, both are cleared more often: an import of 150,000 products that were there already took 201 MB in
 * place of 256 on PostgreSQL, and no longer.
 */
const stayLean = (): void => {
  tellV8(['--semi-space-growth-factor=1', '--heap-growing-percent=80']);
};

/** @throws SettingError when all that the command does would be gone with it */
export const requireKept = (database: Database): void => {
  if (!isKept(database)) {
    throw new SettingError(
      'DATABASE_URL',
      'takes a file or a PostgreSQL database here: what is in memory ends with this command.',
    );
  }
};
