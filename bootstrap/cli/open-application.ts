import { existsSync } from 'node:fs';
import type { Application } from '#application/application.ts';
import type { Clock, NewId } from '#application/ports/system.ts';
import { containerFor } from '../composition/container.ts';
import { isPersistent, keptFileOf } from '../composition/ports/store-kind.ts';
import { shutdown } from '../composition/shutdown.ts';
import { tokens } from '../composition/tokens.ts';
import type { Database } from '../config/database.ts';
import { SettingError } from '../config/env-parser.ts';
import { placesOf } from '../config/store-kinds.ts';
import { loadSettings } from './load-settings.ts';

/** The application without listeners and background jobs. */
interface OpenApplication {
  readonly application: Application;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Opens the configured store, applies pending migrations, and closes the store when `run` has ended.
 * @throws SettingError when the settings name an in-memory store
 */
export const withApplication = async <T>(run: (opened: OpenApplication) => Promise<T>): Promise<T> => {
  const config = loadSettings();
  requirePersistent(config.database);
  const container = containerFor(config, { causeKind: 'command' });
  try {
    const application = await container.getAsync(tokens.application);
    const clock = await container.getAsync(tokens.clock);
    const newId = await container.getAsync(tokens.newId);
    return await run({ application, clock, newId });
  } finally {
    await shutdown(container);
  }
};

/** Like `withApplication`, but does not create the file of a database. @throws SettingError when there is none */
export const withExistingApplication = async <T>(
  run: (opened: OpenApplication) => Promise<T>,
): Promise<T> => {
  const file = keptFileOf(loadSettings().database);
  if (file !== undefined && !existsSync(file)) {
    throw new SettingError(
      'DATABASE_URL',
      `names ${file}, which does not exist. Run portico start to create it.`,
    );
  }
  return withApplication(run);
};

/** @throws SettingError for an in-memory store, which would lose the command's changes when it ends */
export const requirePersistent = (database: Database): void => {
  if (!isPersistent(database)) {
    throw new SettingError(
      'DATABASE_URL',
      `must name ${placesOf()}: an in-memory database ends with this command.`,
    );
  }
};
