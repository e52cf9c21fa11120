import { isatty } from 'node:tty';

export const logFormats = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Turns a line of JSON into lines for people, each with its line end. */
type FormatLine = (line: string) => string;

/** What the message of a request's line shows, so that the rest of the line need not. */
const inMessage = ['method', 'route', 'status', 'durationMs', 'code'];

/**
 * Makes the log's lines readable, with pino-pretty, which is loaded only then.
 * @param format `auto` is `pretty` on a terminal, else `json`
 * @param file the descriptor of the log
 * @returns undefined when the lines stay JSON
 */
export const readableLines = async (format: LogFormat, file: number): Promise<FormatLine | undefined> => {
  const isTerminal = isatty(file);
  if (format === 'json' || (format === 'auto' && !isTerminal)) return undefined;
  const { NO_COLOR } = process.env;
  const { prettyFactory } = await import('pino-pretty');
  return prettyFactory({
    colorize: isTerminal && !NO_COLOR,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: ['pid', 'hostname', ...inMessage].join(),
    messageFormat: (line, key) => messageOf(line, String(line[key] ?? '')),
  });
};

const messageOf = (line: Readonly<Record<string, unknown>>, message: string): string => {
  const { method, route, status, durationMs, code } = line;
  if (typeof durationMs !== 'number') return message;
  const ending = message === 'answered' ? '' : ` (${message})`;
  const error = code === undefined ? '' : ` ${code}`;
  return `${method} ${route} ${status}${error} in ${durationMs.toFixed(1)} ms${ending}`;
};
