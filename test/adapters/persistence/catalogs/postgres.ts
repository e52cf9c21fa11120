import { lineOf, type Row } from './lines.ts';

type Query = (text: string) => Promise<readonly Row[]>;

const ours = "relnamespace = 'public'::regnamespace";

/** Tables, partitions and sequences, with what `create` states of them; indexes that have options. */
const relations = `
  select relname as "table", relkind as kind, relpersistence as persistence,
    array_to_string(reloptions, ', ') as options, amname as method, relreplident as "replicaIdentity",
    relrowsecurity as "rowSecurity", pg_get_expr(relpartbound, pg_class.oid) as bound,
    pg_get_partkeydef(pg_class.oid) as partitioned, array_to_string(relacl, ', ') as privileges,
    obj_description(pg_class.oid, 'pg_class') as comment,
    (select array_to_string(toast.reloptions, ', ') from pg_class as toast where toast.oid = pg_class.reltoastrelid) as "toastOptions"
  from pg_class left join pg_am on pg_am.oid = relam
  where ${ours} and (relkind not in ('i', 'I') or reloptions is not null)`;

const columns = `
  select relname as "table", attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "notNull",
    pg_get_expr(adbin, adrelid) as "default", attidentity as identity, attgenerated as generated,
    attstorage as storage, attcompression as compression, attstattarget as statistics,
    nullif(collname, 'default') as collation, array_to_string(attoptions, ', ') as options
  from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join pg_collation on pg_collation.oid = attcollation
  where ${ours} and relkind in ('r', 'p', 'v', 'm') and attnum > 0 and not attisdropped`;

const indexes = `
  select tables.relname as "table", pg_class.relname as name, pg_get_indexdef(indexrelid) as definition,
    indisvalid as valid, indimmediate as immediate, indnullsnotdistinct as "nullsNotDistinct"
  from pg_index join pg_class on pg_class.oid = indexrelid join pg_class as tables on tables.oid = indrelid
  where pg_class.${ours}`;

/** Those that require a value are with the columns: their names follow from a table's former name. */
const constraints = `
  select relname as "table", conname as name, pg_get_constraintdef(pg_constraint.oid) as definition,
    condeferrable as deferrable, convalidated as validated
  from pg_constraint join pg_class on pg_class.oid = conrelid where ${ours} and contype <> 'n'`;

const functions = `
  select proname as "table", pg_get_functiondef(oid) as definition, obj_description(oid, 'pg_proc') as comment,
    array_to_string(proacl, ', ') as privileges
  from pg_proc where pronamespace = 'public'::regnamespace`;

const others = `
  select tgname as "table", pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal
  union all
  select typname, typtype::text from pg_type
    where typnamespace = 'public'::regnamespace and typtype <> 'c' and typelem = 0
  union all
  select extname, extversion from pg_extension
  union all
  select polname, pg_get_expr(polqual, polrelid) from pg_policy`;

/** Lists what a PostgreSQL database has besides rows. Columns are sorted by name, because added ones stand last. */
export const postgresCatalog = async (query: Query): Promise<readonly string[]> => {
  const parts = {
    '': relations,
    column: columns,
    index: indexes,
    constraint: constraints,
    function: functions,
    other: others,
  };
  const lines: string[] = [];
  for (const [part, text] of Object.entries(parts))
    for (const { table, name = '', ...attributes } of await query(text))
      lines.push(lineOf(String(table), `${part} ${name}`.trim(), attributes).replaceAll(/\s+/g, ' '));
  return lines.sort();
};
