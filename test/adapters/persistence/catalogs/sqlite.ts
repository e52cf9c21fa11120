import BetterSqlite3 from 'better-sqlite3';
import { lineOf, type Row } from './lines.ts';

/** Lists what a SQLite file has besides rows. Columns are sorted by name, because added ones stand last. */
export const sqliteCatalog = (file: string): readonly string[] => {
  const database = new BetterSqlite3(file, { readonly: true });
  const all = (text: string, ...values: readonly string[]) =>
    database.prepare<unknown[], Row>(text).all(...values);
  try {
    const tables = all("select name, type, wr, strict from pragma_table_list where schema = 'main'");
    return tables
      .flatMap(({ name, type, wr, strict }) => {
        const table = String(name);
        return [
          lineOf(table, '', { type, withoutRowid: wr, strict, autoincrement: numbersForever(all, table) }),
          ...columnsOf(all, table),
          ...indexesOf(all, table),
          ...all('select * from pragma_foreign_key_list(?)', table).map(
            ({ from, table: to, to: target, ...rules }) =>
              lineOf(table, `foreign key ${from}`, { to, target, ...withoutIds(rules) }),
          ),
        ];
      })
      .concat(
        all("select type, name, sql from sqlite_schema where type not in ('table', 'index')").map(
          ({ type, name, sql }) => lineOf(String(name), String(type), { sql }),
        ),
      )
      .sort();
  } finally {
    database.close();
  }
};

type Query = (text: string, ...values: readonly string[]) => readonly Row[];

/** Whether numbers of deleted rows are not given again. No pragma has it. */
const numbersForever = (all: Query, table: string): boolean =>
  all('select sql from sqlite_schema where name = ?', table).some(({ sql }) =>
    /\bautoincrement\b/i.test(String(sql)),
  );

const columnsOf = (all: Query, table: string): readonly string[] =>
  all('select * from pragma_table_xinfo(?)', table).map(({ cid: _, name, ...column }) =>
    lineOf(table, `column ${name}`, { ...column, collation: collationOf(all, table, String(name)) }),
  );

/** The collation is in no pragma either; it follows the name of the column in its declaration. */
const collationOf = (all: Query, table: string, column: string): string | undefined => {
  const [{ sql } = {}] = all('select sql from sqlite_schema where name = ?', table);
  return new RegExp(`\\b${column}\\b[^,]*\\bcollate (\\w+)`, 'i').exec(String(sql))?.[1];
};

const indexesOf = (all: Query, table: string): readonly string[] =>
  all('select * from pragma_index_list(?)', table).map(({ seq: _, name, ...index }) => {
    const columns = all('select * from pragma_index_xinfo(?)', String(name))
      .filter(({ key }) => key === 1)
      .map((column) => `${column['name']} ${column['coll']} ${column['desc']}`);
    const [{ sql } = {}] = all('select sql from sqlite_schema where name = ?', String(name));
    const where = / where (.*)$/is.exec(String(sql))?.[1]?.replaceAll(/\s+/g, ' ');
    return lineOf(table, `index ${name}`, { ...index, columns: columns.join(', '), where });
  });

const withoutIds = ({ id: _id, seq: _seq, ...rules }: Row): Row => rules;
