import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileRepositories } from '#adapters/persistence/sql/repositories.ts';
import { connect, sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { SqliteConnection, sqliteSession } from '#adapters/persistence/sqlite/connection.ts';
import { sqliteDialect } from '#adapters/persistence/sqlite/dialect.ts';
import { sqliteUnitOfWork } from '#adapters/persistence/sqlite/unit-of-work.ts';
import { WriteQueue } from '#adapters/persistence/sqlite/write-queue.ts';

/** Opens the parts of a store on a migrated file, so that a test can reach its connections. */
export const openParts = async (file: string) => {
  const orm = sqliteOrm(file, 1000);
  const { writer, reader } = await connect(orm, file);
  if (reader === undefined) throw new Error('A file has a reader.');
  const writes = new WriteQueue(new SqliteConnection(writer));
  const unitOfWork = sqliteUnitOfWork(
    compileRepositories(builderOf(orm), sqliteDialect),
    writes,
    sqliteSession(new SqliteConnection(reader)),
  );
  const close = async () => {
    await writes.drain();
    reader.close();
    await orm.close();
  };
  return { writer, writes, unitOfWork, close };
};
