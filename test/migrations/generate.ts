import type { DatabaseName, Statements } from '#adapters/persistence/schema/migrate.ts';
import { type RecordedSchema, recordedSchema, schemaOf } from './recorded-schema.ts';
import { type Entities, ormOf } from './schemas.ts';
import { onlyAdds, reworded, splitStatements } from './statements.ts';

export const databases: readonly DatabaseName[] = ['sqlite', 'postgres', 'mariadb'];

/** Of a migration that a person writes. */
export const noStatements: Statements = { sqlite: [], postgres: [], mariadb: [] };

/**
 * Compares the recorded schema of each database with the entities.
 * @throws StoppedError when a statement could lose rows or needs a value for those that are there
 */
export const generate = async (
  entities?: Entities,
  recorded: (database: DatabaseName) => RecordedSchema = recordedSchema,
): Promise<Statements> => {
  const [sqlite, postgres, mariadb] = await Promise.all(
    databases.map(async (database) => {
      const orm = ormOf(database, undefined, entities);
      const fromSchema = schemaOf(recorded(database), orm);
      const { up } = await orm.schema.getUpdateSchemaMigrationSQL({ wrap: false, fromSchema });
      return splitStatements(up);
    }),
  );
  const all = { sqlite: sqlite ?? [], postgres: postgres ?? [], mariadb: mariadb ?? [] };
  const others = databases.flatMap((database) =>
    all[database].filter((statement) => !onlyAdds(statement)).map((statement) => `${database}: ${statement}`),
  );
  if (others.length > 0) throw new StoppedError(others);
  return {
    sqlite: reworded('sqlite', all.sqlite),
    postgres: reworded('postgres', all.postgres),
    mariadb: reworded('mariadb', all.mariadb),
  };
};

/** A person has to write the statements. */
export class StoppedError extends Error {
  constructor(statements: readonly string[]) {
    super(
      [
        'These statements could lose rows, or need a value for rows that are there:',
        ...statements.map((statement) => `  ${statement}`),
        'A renamed table or column looks like one that is dropped and another that is added. Write the statements by hand:',
        '  npm run migration -- NAME --by-hand',
        'It creates the file without statements, and records the schema of the entities.',
        'docs/operations.md, "The rule for migrations", has what the release before must still find.',
      ].join('\n'),
    );
    this.name = 'StoppedError';
  }
}
