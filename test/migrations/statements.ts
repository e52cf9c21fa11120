import type { DatabaseName } from '#adapters/persistence/schema/migrate.ts';

/** Splits what MikroORM generates into statements, one for each line. */
export const splitStatements = (sql: string): readonly string[] =>
  sql
    .split(/;?\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** Whether a statement adds a table, a column, an index or a reference, and leaves all rows as they are. */
export const onlyAdds = (statement: string): boolean =>
  /^create (table|(unique )?index) /.test(statement) ||
  (/^alter table \S+ add /.test(statement) && !requiresValue(statement));

/** Whether a statement adds a column that rows of before and processes of the previous release leave empty. */
const requiresValue = (statement: string): boolean =>
  /^alter table \S+ add (?!constraint|unique|index)(column )?/.test(statement) &&
  partsOf(statement).some((part) => / not null/.test(part) && !/ default /.test(part));

/** As MikroORM words them, in the words of the migrations. */
export const reworded = (database: DatabaseName, statements: readonly string[]): readonly string[] => {
  const plain = statements.map((statement) =>
    unquoted(database, statement.replaceAll(' on delete no action', '')),
  );
  if (database === 'postgres') return plain.map((statement) => withTruths(repeatableIndex(statement)));
  return database === 'mariadb' ? onMariaDb(plain) : plain;
};

/** Names that mean something else without quotes, on one of the databases. Extend it where a statement is rejected. */
const reserved = new Set(
  `all and any array as asc between both by case check collate column condition constraint create cross current default delete desc
  distinct do drop else end except exists false fetch for foreign from function grant group groups having if in index insert
  interval into is join key keys lateral leading left like limit lock match not null offset on only option or order outer over
  partition placing primary range rank read references release rename repeat replace returning right row rows schema select set
  show signal some table then to trailing true trigger union unique update usage use user using values when where window with write`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** MikroORM quotes all names. They are read more easily without. */
const unquoted = (database: DatabaseName, statement: string): string =>
  statement.replaceAll(/["`]([a-z_\d]+)["`]/g, (quoted, name: string) => {
    if (!reserved.has(name)) return name;
    return database === 'mariadb' ? quoted : name === 'key' ? name : `"${name}"`;
  });

/** An operator of a large table creates its index beforehand. */
const repeatableIndex = (statement: string): string =>
  statement.replace(/^create (unique )?index /, (start) => `${start}if not exists `);

/** A flag is 0 or 1 in the rows, and a boolean in PostgreSQL's tables. */
const withTruths = (statement: string): string =>
  statement.replaceAll(
    /( boolean not null default) ([01])\b/g,
    (_, start, value) => `${start} ${value === '1'}`,
  );

const options = 'engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin';

/** MariaDB commits each of them at once, so each can run again. A table is created with all that it has. */
const onMariaDb = (statements: readonly string[]): readonly string[] => {
  const made: string[] = [];
  for (const statement of statements) {
    const [, name = '', rest = ''] = /^(?:create|alter) table (\S+) (.*)$/.exec(statement) ?? [];
    const created = made.findIndex((each) => each.startsWith(`create table if not exists ${name} (`));
    if (statement.startsWith('create table ')) {
      const columns = rest.slice(1, rest.lastIndexOf(') default character set'));
      made.push(`create table if not exists ${name} (${columns}) ${options}`);
    } else if (created >= 0 && rest.startsWith('add ')) {
      const [table = ''] = made.splice(created, 1);
      const part = rest.replace(/^add /, '').replace(/^unique /, 'unique index ');
      made.splice(
        created,
        0,
        table.replace(`) ${options}`, () => `, ${part}) ${options}`),
      );
    } else made.push(...repeatable(name, rest, statement));
  }
  return made;
};

const repeatable = (table: string, rest: string, statement: string): readonly string[] => {
  const [, unique, index, columns] = /^add (unique|index) (\S+) (\(.*\))$/.exec(rest) ?? [];
  if (unique !== undefined)
    return [
      `create ${unique === 'unique' ? 'unique index' : 'index'} if not exists ${index} on ${table} ${columns}`,
    ];
  const reference = /^add constraint (\S+) foreign key (.*)$/.exec(rest);
  if (reference)
    return [`alter table ${table} add constraint ${reference[1]} foreign key if not exists ${reference[2]}`];
  return [statement.replaceAll(/( add|, add) (?:column )?/g, '$1 column if not exists ')];
};

/** The parts of a list that is separated by commas outside of brackets. */
export const partsOf = (list: string): readonly string[] => {
  const parts: string[] = [''];
  let depth = 0;
  for (const character of list) {
    depth += Number(character === '(') - Number(character === ')');
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.trim());
};
