import { hostname } from 'node:os';
import { pino } from 'pino';
import { type AccessLogFields, accessLogLine } from './access-log-line.ts';
import { serializeError } from './error-serializer.ts';
import { openLogDestination } from './log-destination.ts';
import { redactor } from './redact.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Writes JSON lines for the operator. */
type Log = Pick<pino.Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>;

export interface OpenLog extends Log {
  /** Writes the line of a finished request at level info. It waits a moment to be written together with others. */
  readonly logRequest: (request: AccessLogFields, traceId?: string) => void;
  /** Returns how many lines were dropped because the reader did not keep up. */
  readonly dropped: () => number;
  close(): Promise<void>;
}

interface Options {
  /** Texts to redact from every line. */
  readonly secrets?: readonly string[];
  /** A file descriptor. */
  readonly file?: number;
}

/** Standard output is for the person at the terminal. */
const standardError = 2;

export const openLog = (level: LogLevel, { secrets = [], file = standardError }: Options = {}): OpenLog => {
  // Reading this property puts a pipe into non-blocking mode: a full one then throws EAGAIN instead of blocking.
  void process.stderr;
  const base = { pid: process.pid, hostname: hostname() };
  const redact = redactor(secrets);
  const destination = openLogDestination(file, { missingLine: (count) => missingLine(base, count) });
  const log = pino(
    { level, base, serializers: { err: (error) => serializeError(error) }, hooks: { streamWrite: redact } },
    { write: destination.write },
  );
  const lineOf = accessLogLine(base, redact);
  return {
    fatal: log.fatal.bind(log),
    error: log.error.bind(log),
    warn: log.warn.bind(log),
    info: log.info.bind(log),
    debug: log.debug.bind(log),
    logRequest: log.isLevelEnabled('info')
      ? (request, traceId) => destination.enqueue(lineOf(request, traceId))
      : () => undefined,
    dropped: () => destination.dropped,
    close: destination.close,
  };
};

const missingLine = (base: object, count: number): string => {
  const msg = 'Lines of this log are missing here: its reader did not keep up.';
  return `${JSON.stringify({ level: 40, time: Date.now(), ...base, dropped: count, msg })}\n`;
};
