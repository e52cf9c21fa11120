import { hostname } from 'node:os';
import { pino } from 'pino';
import { redactCredentials } from '#adapters/support/credentials.ts';
import { serializeError } from './error-serializer.ts';
import { type FaultReports, lastingFaults } from './lasting-faults.ts';
import { type LogDestination, openLogDestination } from './log-destination.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The fields of a finished request in the access log. */
interface AccessLogFields {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the path. The path itself may contain anything, such as a token. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The message of the line. */
  readonly ending: string;
  /** Who sent the request. What the client states about itself is redacted. */
  readonly client: { readonly address: string | undefined; readonly userAgent: string | undefined };
  /** The code of the error in the response, if it is one. */
  readonly errorCode: string | undefined;
  /** UUIDs; undefined when the caller is not authenticated. */
  readonly caller: { readonly keyId: string; readonly userId: string } | undefined;
  /** Why the status is 503, if it is. */
  readonly unavailableReason: string | undefined;
}

/** Writes JSON lines for the operator. */
type Log = Pick<pino.Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>;

export interface OpenLog extends Log {
  /** Writes the line of a fault, and few lines while it lasts: see `lastingFaults`. */
  readonly report: FaultReports['report'];
  /** Writes the line of a finished request at level info. It waits a moment to be written together with others. */
  readonly logRequest: (request: AccessLogFields, traceId?: string) => void;
  /** Returns how many lines were dropped because the reader did not keep up. */
  readonly dropped: () => number;
  /** Writes what waits, for half a second at most. */
  close(): Promise<void>;
}

interface Options {
  /** Texts to redact from every line. */
  readonly secrets?: readonly string[];
  /** A file descriptor. */
  readonly file?: number;
  /** Turns each line of JSON into what is written. */
  readonly format?: ((line: string) => string) | undefined;
  /** Gets each line at once, in the place of the file. */
  readonly write?: ((line: string) => void) | undefined;
}

/** Standard output is for the person at the terminal. */
export const standardError = 2;

/**
 * Opens the log: JSON lines by default, with secrets redacted.
 * @param level lines below it are not written
 */
export const openLog = (
  level: LogLevel,
  { secrets = [], file = standardError, format = (line) => line, write }: Options = {},
): OpenLog => {
  // Reading this property puts a pipe into non-blocking mode: a full one then throws EAGAIN instead of blocking.
  void process.stderr;
  const base = { pid: process.pid, hostname: hostname() };
  const redact = redactor(secrets);
  const destination = write
    ? writtenAtOnce(write)
    : openLogDestination(file, { missingLine: (count) => format(missingLine(base, count)) });
  const log = pino(
    { level, base, serializers: { err: (error) => serializeError(error) }, hooks: { streamWrite: redact } },
    { write: (line) => destination.write(format(line)) },
  );
  const lineOf = accessLogLine(base, redact);
  return {
    fatal: log.fatal.bind(log),
    error: log.error.bind(log),
    warn: log.warn.bind(log),
    info: log.info.bind(log),
    debug: log.debug.bind(log),
    report: lastingFaults(log).report,
    logRequest: log.isLevelEnabled('info')
      ? (request, traceId) => destination.enqueue(format(lineOf(request, traceId)))
      : () => undefined,
    dropped: () => destination.dropped,
    close: destination.close,
  };
};

const writtenAtOnce = (write: (line: string) => void): LogDestination => ({
  ...{ write, enqueue: write, dropped: 0 },
  close: () => Promise.resolve(),
});

const missingLine = (base: object, count: number): string => {
  const msg = 'Lines of this log are missing here: its reader did not keep up.';
  return `${JSON.stringify({ level: 40, time: Date.now(), ...base, dropped: count, msg })}\n`;
};

const needsNoEscape = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const quote = (text: string): string => (needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text));

/**
 * Formats access log lines as pino would. There is one for each request, so it concatenates the known fields instead of
 * serializing an object. Methods, routes, codes, reasons, endings, UUIDs and IP addresses need no escaping.
 * @param base the fields of every line of the log
 * @param redact removes secrets from what the client sent
 */
const accessLogLine = (base: object, redact: (text: string) => string) => {
  const common = `,${JSON.stringify(base).slice(1, -1)},"requestId":`;
  const quoteUserAgent = memoizeLast((userAgent: string) => quote(redact(userAgent)));
  return (request: AccessLogFields, traceId?: string): string => {
    const { requestId, method, route, status, milliseconds, ending, client, errorCode, caller } = request;
    const { unavailableReason } = request;
    const who = caller === undefined ? '' : `,"keyId":"${caller.keyId}","userId":"${caller.userId}"`;
    const trace = traceId === undefined ? '' : `,"traceId":${quote(traceId)}`;
    const code = errorCode === undefined ? '' : `,"code":"${errorCode}"`;
    const why =
      unavailableReason === undefined ? '' : `,"reason":"${unavailableReason.replaceAll('-', '_')}"`;
    const from = client.address === undefined ? '' : `,"clientAddress":"${client.address}"`;
    const by = client.userAgent === undefined ? '' : `,"userAgent":${quoteUserAgent(client.userAgent)}`;
    const what = `"method":"${method}","route":"${route}","status":${status},"durationMs":${milliseconds.toFixed(3)}`;
    return `{"level":30,"time":${Date.now()}${common}${quote(redact(requestId))},${what}${code}${why}${who}${from}${by}${trace},"msg":"${ending}"}\n`;
  };
};

/** Most requests in a row come from programs of one kind. */
const memoizeLast = (render: (text: string) => string): ((text: string) => string) => {
  let last: { readonly text: string; readonly rendered: string } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, rendered: render(text) };
    return last.rendered;
  };
};

/** A shorter secret may occur by chance, and its gap in ordinary text would reveal it. */
const minSecretLength = 12;

/**
 * The password in a URL: `postgres://user:password@host`. These patterns match only from the start of a word, so that the time
 * of a match stays linear in the length of the text.
 */
const urlCredentials = /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s:/@"]*):[^\s/@"]+@/gi;

/** A cheap test: a text that fails it contains neither. */
const mayContainSecret = /:\/\/|pt[cp]_|k_|whsec_|eyJ/i;

/**
 * Returns a function that replaces secrets in a text with `…`: the given ones, and whatever has the form of a credential.
 * @param secrets in plain; their spellings in JSON and in URLs are replaced, too
 */
export const redactor = (secrets: readonly string[]): ((text: string) => string) => {
  const known = [...new Set(secrets.filter(({ length }) => length >= minSecretLength).flatMap(spellingsOf))];
  return (text) => {
    let redacted = text;
    for (const secret of known) if (redacted.includes(secret)) redacted = redacted.replaceAll(secret, '…');
    return mayContainSecret.test(redacted)
      ? redactCredentials(redacted.replace(urlCredentials, '$1:…@'))
      : redacted;
  };
};

const spellingsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
];
