import { hostname } from 'node:os';
import { pino } from 'pino';
import { type Answered, requestLine } from './access-log-line.ts';
import { shownError } from './error-serializer.ts';
import { openLogDestination } from './log-destination.ts';
import { hideIn } from './redact.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What happens, for whoever operates the service: one JSON object a line. */
type Log = Pick<pino.Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>;

/** A log that is open. */
export interface OpenLog extends Log {
  /** One line for a request that is over, at level info: gathered with others, for there are many of them. */
  readonly answered: (request: Answered, traceId?: string) => void;
  /** Lines that were lost because nobody took them. */
  readonly dropped: () => number;
  close(): Promise<void>;
}

interface Options {
  /** What must stand in no line, whatever an error says. */
  readonly secrets?: readonly string[];
  /** A file descriptor. */
  readonly file?: number;
}

/** Standard output is left to what a person at the terminal reads. */
const standardError = 2;

export const openLog = (level: LogLevel, { secrets = [], file = standardError }: Options = {}): OpenLog => {
  // Once Node has looked at it, a pipe that is full says so instead of making a thread wait for its reader.
  void process.stderr;
  const base = { pid: process.pid, hostname: hostname() };
  const hide = hideIn(secrets);
  const destination = openLogDestination(file, { missingLine: (count) => missingLine(base, count) });
  const log = pino(
    { level, base, serializers: { err: (error) => shownError(error) }, hooks: { streamWrite: hide } },
    { write: destination.write },
  );
  const write = requestLine(base, hide);
  return {
    fatal: log.fatal.bind(log),
    error: log.error.bind(log),
    warn: log.warn.bind(log),
    info: log.info.bind(log),
    debug: log.debug.bind(log),
    answered: log.isLevelEnabled('info')
      ? (request, traceId) => destination.enqueue(write(request, traceId))
      : () => undefined,
    dropped: () => destination.dropped,
    close: destination.close,
  };
};

const missingLine = (base: object, count: number): string =>
  `${JSON.stringify({ level: 40, time: Date.now(), ...base, dropped: count, msg: 'Lines of this log are missing here: nobody took them.' })}\n`;
