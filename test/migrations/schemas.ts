import { mariadbOrm } from '#adapters/persistence/mariadb/orm.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { entities } from '#adapters/persistence/schema/entities/all.ts';
import { describeOnMariaDb } from '#adapters/persistence/schema/entities/mariadb.ts';
import type { DatabaseName } from '#adapters/persistence/schema/migrate.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';

/** MikroORM over the entities of a database. */
export const ormOf = (database: DatabaseName, url: string) => {
  const orm = openers[database](url);
  orm.discoverEntity(entities[database]);
  if (database === 'mariadb') describeOnMariaDb(orm.getMetadata());
  return orm;
};

const openers = {
  sqlite: (file: string) => sqliteOrm(file, 1_000),
  postgres: (url: string) => postgresOrm(url, 1),
  mariadb: (url: string) => mariadbOrm({ url, poolSize: 1, timeout: 5_000 }),
};
