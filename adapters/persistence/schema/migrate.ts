import type { Configuration, Constructor } from '@mikro-orm/core';
import type { Migration, Migrator } from '@mikro-orm/migrations';
import type { Inspection } from '../store.ts';

/** A migration. Its code is loaded only when it is applied. */
interface MigrationEntry {
  readonly name: string;
  readonly load: () => Promise<Constructor<Migration>>;
}

/** All migrations of a database, in the order of their application. */
export type Migrations = readonly MigrationEntry[];

/** The table that records the names of applied migrations. */
export const migrationsTable = 'mikro_orm_migrations';

export const isUpToDate = (steps: Migrations, applied: readonly string[]): boolean =>
  steps.every(({ name }) => applied.includes(name));

/** Compares the migrations of this version with those that a database records. */
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
 * Applies the missing migrations, while the caller keeps other processes out.
 * @param isTransactional whether the caller has begun a transaction that rolls all changes back
 * @throws MigrationError when one of them fails
 */
export const migrate = async (
  { em, config }: Orm,
  steps: Migrations,
  isTransactional = true,
): Promise<void> => {
  const { Migrator } = await import('@mikro-orm/migrations');
  const migrationsList = await Promise.all(
    steps.map(async ({ name, load }) => ({ name, class: await load() })),
  );
  config.set('migrations', {
    ...config.get('migrations'),
    migrationsList,
    tableName: migrationsTable,
    transactional: false,
    // A snapshot would be read from the live database and written next to the sources.
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
    throw new MigrationError(current, error, isTransactional);
  }
};

/** A migration failed. */
export class MigrationError extends Error {
  /** Whether nothing is left of what it has changed. */
  readonly isRolledBack: boolean;

  /** @param migration its name; undefined when none had begun. @param cause the error of the database */
  constructor(migration: string | undefined, cause: unknown, isRolledBack: boolean) {
    const what =
      migration === undefined
        ? 'The tables cannot be brought up to date'
        : `The migration ${migration} cannot be applied`;
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${what}: ${reason.replace(/\.$/, '')}.`, { cause });
    this.name = 'MigrationError';
    this.isRolledBack = isRolledBack;
  }
}

/**
 * Options of MikroORM for both databases. It owns the schema, the migrations and the connections, and discovers nothing at
 * start; only a test that compares the entities with a schema adds them (`discoverEntity`).
 */
export const ormOptions = {
  ensureDatabase: false,
  discovery: { warnWhenNoEntities: false },
  metadataCache: { enabled: false },
  logger: () => undefined,
};
