import { existsSync, statSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';

const { SqliteError } = BetterSqlite3;

/** What is wrong with the file of a database that still responds, as the errors of its connections show. */
export class SqliteHealth {
  #isDamaged = false;
  #writeProblem: string | undefined;

  /** @param error what the driver has thrown */
  failed(error: unknown): void {
    const code = error instanceof SqliteError ? error.code : '';
    if (isCorruption(error)) this.#isDamaged = true;
    else if (code.startsWith('SQLITE_FULL'))
      this.#writeProblem = 'the disk of the database is full. Free some space';
    else if (/^SQLITE_(IOERR|READONLY)/.test(code))
      this.#writeProblem = `the database file cannot be written (${code}). Check its disk and its permissions`;
  }

  /** A commit shows that the file can be written again. Damage stays until a backup is restored. */
  committed(): void {
    this.#writeProblem = undefined;
  }

  /** Whether the last change failed for the disk. Without requests only another change shows that it has ended. */
  get cannotWrite(): boolean {
    return this.#writeProblem !== undefined;
  }

  /** What is wrong and what to do, in one line for the operator; undefined when nothing is known to be wrong. */
  get problem(): string | undefined {
    return this.#isDamaged ? `the database file is damaged. ${restoreAdvice}` : this.#writeProblem;
  }
}

const restoreAdvice = 'Stop Portico, move the file away, and restore a backup with portico restore';

/** For the operator, in one line. @param damage what SQLite reports about it @param cause the error of the driver */
export const damageError = (file: string, damage: string, cause?: unknown): Error =>
  new Error(`${file} ${describeDamage(damage)}. ${restoreAdvice}.`, { cause });

/** A file whose beginning is damaged cannot be distinguished from one of another program. */
export const describeDamage = (damage: string): string =>
  `is damaged${damage === 'file is not a database' ? ', or no SQLite database' : ''}: ${damage}`;

/** Whether the driver reports that the file is damaged, or so much so that it is no database. */
export const isCorruption = (error: unknown): error is Error =>
  error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

/**
 * Reads the whole file and checks its structure (https://www.sqlite.org/pragma.html#pragma_quick_check).
 * @returns what is damaged, in a line; undefined when nothing is
 */
export const findDamage = (database: Database): string | undefined => {
  try {
    const found = database.pragma('quick_check(1)', { simple: true });
    return found === 'ok' ? undefined : String(found).replaceAll(/\s+/g, ' ');
  } catch (error) {
    if (isCorruption(error)) return error.message;
    throw error;
  }
};

/** Whether a database was not closed, or another process has it open: the last one that closes it removes its WAL. */
export const wasNotClosed = (file: string): boolean =>
  existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0;
