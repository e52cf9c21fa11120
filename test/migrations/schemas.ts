import type { EntitySchema } from '@mikro-orm/core';
import { mariadbOrm } from '#adapters/persistence/mariadb/orm.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { entities } from '#adapters/persistence/schema/entities/all.ts';
import { describeOnMariaDb } from '#adapters/persistence/schema/entities/mariadb.ts';
import type { DatabaseName } from '#adapters/persistence/schema/migrate.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';

export type Entities = Readonly<Record<DatabaseName, readonly EntitySchema[]>>;

/** MikroORM over the entities of a database. It connects to none before it is asked to, so an address of nothing will do. */
export const ormOf = (database: DatabaseName, url = nowhere[database], all: Entities = entities) => {
  const orm = openers[database](url);
  orm.discoverEntity([...all[database]]);
  if (database === 'mariadb') describeOnMariaDb(orm.getMetadata());
  return orm;
};

const nowhere: Readonly<Record<DatabaseName, string>> = {
  sqlite: ':memory:',
  postgres: 'postgres://127.0.0.1/none',
  mariadb: 'mariadb://127.0.0.1/none',
};

const openers = {
  sqlite: (file: string) => sqliteOrm(file, 1_000),
  postgres: (url: string) => postgresOrm(url, 1),
  mariadb: (url: string) => mariadbOrm({ url, poolSize: 1, timeout: 5_000 }),
};
