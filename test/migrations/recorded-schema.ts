import { readFileSync } from 'node:fs';
import { Type, types } from '@mikro-orm/core';
import { DatabaseSchema, DatabaseTable } from '@mikro-orm/postgresql';
import type { DatabaseName } from '#adapters/persistence/schema/migrate.ts';
import type { ormOf } from './schemas.ts';

/** What MikroORM knows of a schema, without what is at its default. The next migration begins there, so no database is needed. */
export interface RecordedSchema {
  readonly [table: string]: {
    readonly columns: Readonly<Record<string, Attributes>>;
    readonly indexes: Readonly<Record<string, Attributes>>;
    readonly foreignKeys: Readonly<Record<string, Attributes>>;
  };
}

type Attributes = Readonly<Record<string, unknown>>;
type Named = ReturnType<DatabaseTable['getColumns']>[number];

export const recordPath = (database: DatabaseName): URL =>
  new URL(`recorded/${database}.json`, import.meta.url);

export const recordedSchema = (database: DatabaseName): RecordedSchema =>
  JSON.parse(readFileSync(recordPath(database), 'utf8'));

type Orm = ReturnType<typeof ormOf>;

/** The schema of the entities, to be recorded. */
export const recordOf = (orm: Orm): RecordedSchema => {
  const { tables } = JSON.parse(JSON.stringify(orm.schema.getTargetSchema()));
  const record: Record<string, RecordedSchema[string]> = {};
  for (const { name, columns, indexes, foreignKeys } of tables)
    record[name] = {
      columns: withoutDefaults(columns, 'name'),
      indexes: withoutDefaults(byName(indexes), 'keyName'),
      foreignKeys: withoutDefaults(foreignKeys, 'constraintName'),
    };
  return record;
};

const byName = (indexes: readonly Attributes[]): Readonly<Record<string, Attributes>> =>
  Object.fromEntries(indexes.map((index) => [String(index['keyName']), index]));

const withoutDefaults = (
  all: Readonly<Record<string, Attributes>>,
  key: string,
): Readonly<Record<string, Attributes>> =>
  Object.fromEntries(
    Object.entries(all).map(([name, attributes]) => [
      name,
      Object.fromEntries(
        Object.entries(attributes).filter(([attribute, value]) => attribute !== key && !isDefault(value)),
      ),
    ]),
  );

const isDefault = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** The schema from which the generator begins. Partitions are declared by hand, so they are those of the entities. */
export const schemaOf = (record: RecordedSchema, orm: Orm): DatabaseSchema => {
  const platform = orm.em.getDriver().getPlatform();
  const target = orm.schema.getTargetSchema();
  const schema = new DatabaseSchema(platform, target.name);
  schema.setTables(
    Object.entries(record).map(([name, { columns, indexes, foreignKeys }]) => {
      const table = new DatabaseTable(platform, name, platform.getDefaultSchemaName());
      table.setIndexes(
        Object.entries(indexes).map(([keyName, index]) => ({ ...noIndex, ...index, keyName })),
      );
      table.setForeignKeys(
        Object.fromEntries(
          Object.entries(foreignKeys).map(([constraintName, key]) => [
            constraintName,
            { ...noForeignKey, ...key, constraintName },
          ]),
        ),
      );
      for (const [column, attributes] of Object.entries(columns))
        table.addColumn({ ...noColumn, ...attributes, name: column, mappedType: mappedType(attributes) });
      table.setPartitioning(target.getTable(name)?.getPartitioning());
      return table;
    }),
  );
  schema.setNamespaces(new Set(target.getNamespaces()));
  return schema;
};

const noIndex = { columnNames: [], unique: false, constraint: false, primary: false };
const noForeignKey = {
  columnNames: [],
  localTableName: '',
  referencedTableName: '',
  referencedColumnNames: [],
};
const noColumn = { type: '' };

const mappedType = ({ mappedType: name }: Attributes): Named['mappedType'] => {
  const [, found] = Object.entries(types).find(([key]) => key === name) ?? [];
  if (found === undefined) throw new Error(`The recorded schema has a column of an unknown type, ${name}.`);
  return Type.getType(found);
};
