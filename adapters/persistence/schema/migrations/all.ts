import type { DatabaseName, Migrations, Statements } from '../migrate.ts';

interface Migration {
  readonly name: string;
  readonly load: () => Promise<Statements>;
}

export const baselineName = '0001-baseline';

/** In the order of their application. `npm run migration` adds a line. */
const migrations: readonly Migration[] = [
  { name: baselineName, load: async () => (await import('./0001-baseline/all.ts')).baseline() },
];

/** All migrations of a database. */
export const migrationsOf = (database: DatabaseName): Migrations =>
  migrations.map(({ name, load }) => ({ name, load: async () => (await load())[database] }));
