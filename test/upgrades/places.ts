import { copyFile } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { type Migrations, migrate } from '#adapters/persistence/schema/migrate.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { freshDatabase } from '../support/postgres.ts';

/** A database that migrations are applied to. */
export interface Place {
  readonly url: string;
  apply(steps: Migrations): Promise<void>;
  /** @throws when the database cannot prepare the statement */
  prepare(statement: string): Promise<void>;
  copy(): Promise<Place>;
  remove(): Promise<void>;
}

/** @param nextFile names another file that is not there yet */
export const inFile = (nextFile: () => string): Place => {
  const file = nextFile();
  return {
    url: `sqlite:${file}`,
    apply: async (steps) => {
      const orm = sqliteOrm(file, 1000);
      await migrate(orm, steps).finally(() => orm.close());
    },
    prepare: async (statement) => {
      const database = new BetterSqlite3(file);
      try {
        database.prepare(statement);
      } finally {
        database.close();
      }
    },
    copy: async () => {
      const copy = inFile(nextFile);
      await copyFile(file, copy.url.slice('sqlite:'.length));
      return copy;
    },
    remove: async () => undefined,
  };
};

export const inDatabase = async (template?: Place): Promise<Place> => {
  const { url, drop } = await freshDatabase(template);
  const place: Place = {
    url,
    apply: async (steps) => {
      const orm = postgresOrm(url, 1);
      await migrate(orm, steps).finally(() => orm.close());
    },
    prepare: async (statement) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(`prepare it as ${statement}`).finally(() => client.end());
    },
    copy: () => inDatabase(place),
    remove: drop,
  };
  return place;
};

/** A migration of the test. */
export const step = (name: string, ...statements: readonly string[]): Migrations[number] => ({
  name,
  load: async () => statements,
});

/** What a later version adds, which this one does not know. */
export const later = step(
  '9998-later',
  'alter table products add column weight int null',
  'create table gift_cards (id text not null primary key)',
);
