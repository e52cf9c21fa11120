import type { Store } from '#adapters/persistence/store.ts';
import type { SchemaHarness } from './schema.ts';

/** Statements that change and list what a database records of its migrations. */
export const recordedMigrations = {
  record: (name: string) => `insert into mikro_orm_migrations (name) values ('${name}')`,
  forget: (name: string) => `delete from mikro_orm_migrations where name = '${name}'`,
  list: 'select name from mikro_orm_migrations order by name',
};

/** A store with its database, whose statements change what that records of its migrations. */
export const withRecords =
  (
    open: () => Promise<
      Pick<Store, 'schema' | 'close'> & {
        readonly database: { query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> };
      }
    >,
  ) =>
  async (): Promise<SchemaHarness> => {
    const { database, schema, close } = await open();
    const { record, forget, list } = recordedMigrations;
    return {
      ...{ schema, close },
      record: (name) => database.query(record(name)),
      forget: (name) => database.query(forget(name)),
      recorded: async () => (await database.query(list)).map(({ name }) => String(name)),
    };
  };
