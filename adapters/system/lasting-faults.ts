import { type ApplicationError, UnavailableError } from '#application/errors.ts';

/** A fault without an error for this long has ended, in milliseconds. What runs in the background runs more often. */
const quietMs = 15_000;

/** While a fault lasts, a line is written in this interval, in milliseconds. */
const reminderMs = 60_000;

/** How often faults are checked while there are any, in milliseconds. */
const tickMs = 1_000;

type Level = 'error' | 'warn';
type Write = (fields: object, message: string) => void;
type Log = Readonly<Record<Level, Write>>;

/** What the log has of an error besides its message. */
interface Fields {
  readonly err: unknown;
  readonly [name: string]: unknown;
}

interface Fault {
  readonly since: number;
  /** The text of the lines that follow the first. */
  readonly lasts: string;
  readonly ended: string;
  /** Whether its end is logged although it has failed once only. */
  readonly isAlwaysEnded: boolean;
  readonly level: Level;
  last: number;
  loggedAt: number;
  failures: number;
  err: unknown;
}

export interface FaultReports {
  /** Logs an error, unless the same fault was logged less than a minute ago and lasts. */
  report(level: Level, fields: Fields, message: string): void;
}

/**
 * Keeps a fault that lasts from filling the log: it has a line when it begins, one a minute while it lasts, and one when it has ended, with
 * how long it took and how often something failed. All that fails because the database is unavailable is one fault.
 * @param monotonic in milliseconds
 */
export const lastingFaults = (log: Log, monotonic: () => number = () => performance.now()): FaultReports => {
  const faults = new Map<string, Fault>();
  let timer: NodeJS.Timeout | undefined;

  const check = (): void => {
    const now = monotonic();
    for (const [key, fault] of faults) {
      const { since, last, failures, level, err } = fault;
      if (now - last >= quietMs) {
        faults.delete(key);
        const lasted = { lastedMs: Math.round(last - since), failures };
        if (fault.isAlwaysEnded || failures > 1) log.warn(lasted, fault.ended);
      } else if (now - fault.loggedAt >= reminderMs) {
        fault.loggedAt = now;
        log[level]({ err, lastedMs: Math.round(now - since), failures }, fault.lasts);
      }
    }
    if (faults.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    report: (level, fields, message) => {
      const now = monotonic();
      const { err } = fields;
      const isDatabase = isUnavailableDatabase(err);
      const key = isDatabase ? 'database' : `${message} ${keyOf(err)}`;
      const known = faults.get(key);
      if (known !== undefined) {
        Object.assign(known, { last: now, failures: known.failures + 1, err });
        return;
      }
      faults.set(key, {
        ...{ level, since: now, last: now, loggedAt: now, failures: 1, err, isAlwaysEnded: isDatabase },
        lasts: isDatabase ? 'The database is still unavailable.' : message,
        ended: isDatabase ? 'The database is available again.' : `This has ended: ${message}`,
      });
      timer ??= setInterval(check, tickMs).unref();
      log[level](fields, message);
    },
  };
};

/** Whether something has failed because the database was unavailable. */
const isUnavailableDatabase = (error: unknown): boolean =>
  error instanceof UnavailableError && error.reason === 'database-unavailable';

/** Errors that differ are different faults. */
const keyOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const { name, message } = error;
  return `${name} ${(error as Partial<ApplicationError>).kind ?? ''} ${message}`;
};
