import { type DatabaseName, type Migrations, migrate } from '#adapters/persistence/schema/migrate.ts';
import { ormOf } from './schemas.ts';

/** Applies migrations to a database, as a start does, but only these. */
export const applyTo = async (database: DatabaseName, url: string, steps: Migrations): Promise<void> => {
  const orm = ormOf(database, url.replace(/^sqlite:/, ''));
  await migrate(orm, steps, database !== 'mariadb').finally(() => orm.close());
};
