import type { Pool, PoolClient } from 'pg';
import { ApplicationError } from '#application/errors.ts';
import type { Reading, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { untilWon } from '../../race-lost.ts';
import { conduct } from '../conduct.ts';
import { ping, readingSession } from '../reading.ts';
import { repositoriesIn } from '../repositories.ts';
import type { Session } from '../session.ts';
import { explain } from './errors.ts';
import { postgresSession } from './session.ts';

const repositoriesOver = repositoriesIn({
  hold: ' for update',
  holdFree: ' for update skip locked',
  given: (table) => `json_populate_recordset(null::${table}, $1)`,
});

/** Read committed, with a lock on whatever is held: nothing fails that a lock would have let through. */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly #pool: Pool;
  readonly #reading: Session;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#reading = readingSession(postgresSession(pool));
  }

  run<T>(work: Work<T>): Promise<T> {
    return untilWon(() => this.#attempt(work));
  }

  read<T>(reading: Reading<T>): Promise<T> {
    return reading(repositoriesOver(this.#reading));
  }

  /** @throws ApplicationError 'unavailable' */
  async ping(): Promise<void> {
    await this.#reading.query(ping, []);
  }

  async #attempt<T>(work: Work<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw explain(error);
    });
    try {
      await tell(client, 'begin isolation level read committed');
      const result = await conduct(postgresSession(client), repositoriesOver, work);
      await tell(client, 'commit');
      client.release();
      return result;
    } catch (error) {
      await rollBack(client, error);
      throw error;
    }
  }
}

const tell = async (client: PoolClient, statement: string): Promise<void> => {
  try {
    await client.query(statement);
  } catch (error) {
    throw explain(error);
  }
};

/** A connection that is away is closed, which undoes everything too, and never used again. */
const rollBack = async (client: PoolClient, reason: unknown): Promise<void> => {
  const away = reason instanceof ApplicationError && reason.kind === 'unavailable';
  const undone =
    !away &&
    (await client.query('rollback').then(
      () => true,
      () => false,
    ));
  client.release(!undone);
};
