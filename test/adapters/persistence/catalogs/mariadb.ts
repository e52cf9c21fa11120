import { lineOf, type Row } from './lines.ts';

type Query = (text: string) => Promise<readonly Row[]>;

const here = 'table_schema = database()';

const tables = `
  select table_name as \`table\`, table_type as type, engine, row_format as rowFormat, table_collation as collation,
    nullif(create_options, '') as options, table_comment as comment
  from information_schema.tables where ${here}`;

const columns = `
  select table_name as \`table\`, column_name as name, column_type as type, is_nullable as nullable,
    column_default as \`default\`, extra, collation_name as collation, generation_expression as generation, column_comment as comment
  from information_schema.columns where ${here}`;

const indexes = `
  select table_name as \`table\`, index_name as name, non_unique as nonUnique, index_type as type, ignored,
    group_concat(concat(column_name, ifnull(concat('(', sub_part, ')'), ''), ' ', collation) order by seq_in_index separator ', ') as columns
  from information_schema.statistics where ${here} group by table_name, index_name, non_unique, index_type, ignored`;

const constraints = `
  select table_name as \`table\`, constraint_name as name, constraint_type as type,
    (select group_concat(concat(column_name, ifnull(concat(' to ', referenced_table_name, '.', referenced_column_name), '')) order by ordinal_position separator ', ')
      from information_schema.key_column_usage as used
      where used.table_schema = made.table_schema and used.table_name = made.table_name and used.constraint_name = made.constraint_name) as columns,
    (select concat('update ', update_rule, ', delete ', delete_rule, ', match ', match_option)
      from information_schema.referential_constraints as referring
      where referring.constraint_schema = made.table_schema and referring.table_name = made.table_name and referring.constraint_name = made.constraint_name) as rules,
    (select check_clause from information_schema.check_constraints as checks
      where checks.constraint_schema = made.table_schema and checks.table_name = made.table_name and checks.constraint_name = made.constraint_name) as clause
  from information_schema.table_constraints as made where ${here}`;

const others = `
  select trigger_name as \`table\`, action_statement as definition from information_schema.triggers where trigger_schema = database()
  union all
  select routine_name, routine_definition from information_schema.routines where routine_schema = database()
  union all
  select table_name, concat(partition_name, ' ', partition_method) from information_schema.partitions
    where ${here} and partition_name is not null`;

/** Lists what a MariaDB database has besides rows. Columns are sorted by name, because added ones stand last. */
export const mariadbCatalog = async (query: Query): Promise<readonly string[]> => {
  const parts = { '': tables, column: columns, index: indexes, constraint: constraints, other: others };
  const lines: string[] = [];
  for (const [part, text] of Object.entries(parts))
    for (const { table, name = '', ...attributes } of await query(text))
      lines.push(lineOf(String(table), `${part} ${name}`.trim(), attributes).replaceAll(/\s+/g, ' '));
  return lines.sort();
};
