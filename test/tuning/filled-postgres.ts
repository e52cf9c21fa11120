import { Client } from 'pg';
import type { BoundStatement } from '#adapters/persistence/sql/sql-table.ts';
import type { Json } from '#test/http/support/client.ts';
import { type Database, migratedDatabase } from '#test/support/postgres.ts';

/** How a statement is explained. */
interface Explanation {
  readonly mode?: 'force_generic_plan' | 'force_custom_plan';
  /** Options of `explain`, in parentheses. */
  readonly options?: string;
}

/** A migrated database with many rows, and a client of it. */
export interface FilledPostgres {
  readonly database: Database;
  readonly client: Client;
  /** Explains a statement with its values. @returns the lines of the plan, or one value in JSON */
  explain(statement: BoundStatement, explanation?: Explanation): Promise<readonly Json[]>;
}

/** Settings with which Portico's connections begin. */
const asPortico = '-c enable_seqscan=off';

/**
 * Fills a database for the tests of the surrounding `describe`.
 * @param statements run one after the other
 * @param settings of the client
 */
export const filledPostgres = (statements: readonly string[], settings = asPortico): FilledPostgres => {
  let database: Database;
  let client: Client;
  before(async () => {
    database = await migratedDatabase();
    for (const statement of statements) await database.query(statement);
    client = new Client({ connectionString: database.url, options: settings });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });
  return {
    get database() {
      return database;
    },
    get client() {
      return client;
    },
    explain: async ({ statement, values }, { mode = 'force_generic_plan', options = '' } = {}) => {
      await client.query(`set plan_cache_mode = ${mode}`);
      await client.query(`prepare explained as ${statement.text}`);
      const given = values.map((value) => (value === null ? 'null' : `'${value}'`)).join(', ');
      const { rows } = await client.query(`explain ${options} execute explained (${given})`);
      await client.query('deallocate explained');
      return rows.map((row) => row['QUERY PLAN']);
    },
  };
};

/** A customer, to whom orders can belong. */
export const insertUser = (id: string): string =>
  `insert into users (id, version, created_at, updated_at, email, name, role)
    values ('${id}', 1, now(), now(), 'ada@example.com', 'Ada', 'customer')`;
