import type { Configuration, Constructor } from '@mikro-orm/core';
import type { Migration, Migrator } from '@mikro-orm/migrations';
import type { Inspection } from '../store.ts';
import { MigrationError } from './migration-failed.ts';

/** A change of the schema. Its code is loaded when it has to be applied, and that is seldom. */
interface MigrationEntry {
  readonly name: string;
  readonly load: () => Promise<Constructor<Migration>>;
}

/** All migrations of a database, in the order in which they are applied. */
export type Migrations = readonly MigrationEntry[];

/** Where the names of those that have been applied are kept. */
export const migrationsTable = 'mikro_orm_migrations';

export const isUpToDate = (steps: Migrations, applied: readonly string[]): boolean =>
  steps.every(({ name }) => applied.includes(name));

/** Which changes have been made and which have not. */
export const compareMigrations = (
  steps: Migrations,
  applied: readonly string[],
): Pick<Inspection, 'applied' | 'pending' | 'unknown'> => {
  const names = steps.map(({ name }) => name);
  return {
    applied: names.filter((name) => applied.includes(name)),
    pending: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  };
};

interface Orm {
  readonly em: ConstructorParameters<typeof Migrator>[0];
  readonly config: Configuration;
}

/**
 * Applies what has not been applied yet. The caller makes sure that nobody else does so at the same time.
 * @param transactional whether the migrator begins a transaction, or is in one of the caller's already
 * @throws MigrationError
 */
export const migrate = async (
  { em, config }: Orm,
  steps: Migrations,
  transactional: boolean,
): Promise<void> => {
  const { Migrator } = await import('@mikro-orm/migrations');
  const migrationsList = await Promise.all(
    steps.map(async ({ name, load }) => ({ name, class: await load() })),
  );
  config.set('migrations', {
    ...config.get('migrations'),
    migrationsList,
    tableName: migrationsTable,
    transactional,
    // A snapshot is read from the live database, and written next to the sources.
    snapshot: false,
    silent: true,
  });
  let current: string | undefined;
  const migrator = new Migrator(em).on('migrating', ({ name }) => {
    current = name;
  });
  try {
    await migrator.up();
  } catch (error) {
    throw new MigrationError(current, error);
  }
};
