import { pino } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What happens, for whoever operates the service: one JSON object a line. */
export type Log = Pick<pino.Logger, 'error' | 'warn' | 'info' | 'debug'>;

const standardError = 2;

/** Standard output is left to what a person at the terminal reads. */
export const openLog = (level: LogLevel): Log =>
  pino({ level }, pino.destination({ dest: standardError, sync: true }));
