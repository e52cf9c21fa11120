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

/** Each part is read once, with the name of the database as a constant: only then does MariaDB not open other databases' tables. */
const constraints = `
  select made.table_name as \`table\`, made.constraint_name as name, constraint_type as type, columns, rules, clause
  from (select table_name, constraint_name, constraint_type from information_schema.table_constraints where ${here}) as made
  left join (
    select table_name, constraint_name,
      group_concat(concat(column_name, ifnull(concat(' to ', referenced_table_name, '.', referenced_column_name), '')) order by ordinal_position separator ', ') as columns
    from information_schema.key_column_usage where ${here} group by table_name, constraint_name
  ) as used using (table_name, constraint_name)
  left join (
    select table_name, constraint_name, concat('update ', update_rule, ', delete ', delete_rule, ', match ', match_option) as rules
    from information_schema.referential_constraints where constraint_schema = database()
  ) as referring using (table_name, constraint_name)
  left join (
    select table_name, constraint_name, check_clause as clause
    from information_schema.check_constraints where constraint_schema = database()
  ) as checks using (table_name, constraint_name)`;

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
