/** Why the schema is as it was before. What was meant to be changed is undone. */
export class MigrationError extends Error {
  /** @param migration its name; undefined when none was begun yet. @param cause what the database said */
  constructor(migration: string | undefined, cause: unknown) {
    const what =
      migration === undefined
        ? 'The tables cannot be brought up to date'
        : `The migration ${migration} cannot be applied`;
    const said = cause instanceof Error ? cause.message : String(cause);
    super(`${what}: ${said.replace(/\.$/, '')}.`, { cause });
    this.name = 'MigrationError';
  }
}
