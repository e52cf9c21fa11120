import type { Configuration } from '@mikro-orm/core';
import type { Migrator } from '@mikro-orm/migrations';

/** The databases that have a schema. */
export type DatabaseName = 'sqlite' | 'postgres' | 'mariadb';

/** The statements of a migration, for each database. */
export type Statements = Readonly<Record<DatabaseName, readonly string[]>>;

/** A migration of one database. Its statements are loaded only when it is applied. */
interface MigrationEntry {
  readonly name: string;
  readonly load: () => Promise<readonly string[]>;
}

/** All migrations of a database, in the order of their application. */
export type Migrations = readonly MigrationEntry[];

/** The table that records the names of applied migrations. */
export const migrationsTable = 'mikro_orm_migrations';

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
  const { Migration, Migrator } = await import('@mikro-orm/migrations');
  const migrationsList = await Promise.all(
    steps.map(async ({ name, load }) => {
      const statements = await load();
      return {
        name,
        class: class extends Migration {
          override up(): void {
            for (const statement of statements) this.addSql(statement);
          }
        },
      };
    }),
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
  /** Whether all that it has changed was rolled back. */
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
