import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { migrationsTable } from '#adapters/persistence/schema/migrate.ts';

interface Column {
  readonly type: string;
  /** Whether an insert may leave the column out. */
  readonly mayBeLeftOut: boolean;
  readonly mayBeNull: boolean;
}

interface TableSchema {
  readonly columns: Readonly<Record<string, Column>>;
  /** The constraints: unique indexes, checks and foreign keys. */
  readonly rules: readonly string[];
}

/** The schema of a database, by table. Partitions, which come and go, count as their table. */
export type Schema = Readonly<Record<string, TableSchema>>;

export const schemaOf = (url: string): Promise<Schema> =>
  url.startsWith('sqlite:') ? sqliteSchema(url.slice('sqlite:'.length)) : postgresSchema(url);

interface TableInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

const sqliteSchema = async (file: string): Promise<Schema> => {
  const database = new BetterSqlite3(file, { readonly: true });
  const all = <Row>(text: string) => database.prepare<[], Row>(text).all();
  const tables: Record<string, TableSchema> = {};
  for (const { name } of all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' order by name",
  )) {
    if (name === migrationsTable || name.startsWith('sqlite_')) continue;
    const columns = all<TableInfo>(`pragma table_info(${name})`).map((column): [string, Column] => [
      column.name,
      {
        type: column.type,
        mayBeLeftOut: column.notnull === 0 || column.dflt_value !== null,
        mayBeNull: column.notnull === 0,
      },
    ]);
    const key = all<TableInfo>(`pragma table_info(${name})`).filter(({ pk }) => pk > 0);
    const unique = all<{ sql: string }>(
      `select sql from sqlite_schema where tbl_name = '${name}' and type = 'index' and sql like 'create unique%'`,
    );
    const foreign = all<Record<string, unknown>>(`pragma foreign_key_list(${name})`);
    tables[name] = {
      columns: Object.fromEntries(columns),
      rules: [
        `primary key (${key.map((column) => column.name).join(', ')})`,
        ...unique.map(({ sql }) => sql),
        ...foreign.map(({ table, from, to }) => `foreign key (${from}) references ${table} (${to})`),
      ].sort(),
    };
  }
  database.close();
  return tables;
};

const postgresSchema = async (url: string): Promise<Schema> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows: columns } = await client.query<Column & { readonly table: string; readonly column: string }>(`
    select relname as table, attname as column, format_type(atttypid, atttypmod) as type,
      (not attnotnull or atthasdef) as "mayBeLeftOut", not attnotnull as "mayBeNull"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and relname <> '${migrationsTable}'
    order by relname, attnum`);
  const { rows: rules } = await client.query<{ readonly table: string; readonly rule: string }>(`
    select relname as table, pg_get_indexdef(indexrelid) as rule
    from pg_index join pg_class on pg_class.oid = indrelid
    where indisunique and relnamespace = 'public'::regnamespace and not relispartition
    union all
    select relname, pg_get_constraintdef(pg_constraint.oid)
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype in ('c', 'f') and relnamespace = 'public'::regnamespace and not relispartition
    order by 1, 2`);
  await client.end();
  const names = [...new Set(columns.map(({ table }) => table))];
  return Object.fromEntries(
    names.map((name) => {
      const own = columns.filter(({ table }) => table === name);
      return [
        name,
        {
          columns: Object.fromEntries(own.map(({ table: _, column, ...rest }) => [column, rest])),
          rules: rules.filter(({ table }) => table === name).map(({ rule }) => rule),
        },
      ];
    }),
  );
};
