import { readFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { decodeText } from './decode-text.ts';
import { SettingError } from './env-parser.ts';

/** A name with its `=`, as shells and container tools write it. */
const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*/;

/** A further line of a quoted text that is an assignment itself: an earlier quote has no end. */
const assignmentInQuotes = /^(?:export[ \t]+)?[A-Z][A-Z0-9_]*=[^=\s]/m;

const blankOrComment = /^[ \t]*(#.*)?$/;

const quotes: ReadonlySet<string | undefined> = new Set(['"', "'", '`']);

/**
 * Reads the variables of `.env`. Node's own reader ignores what it cannot read, so that a start uses defaults instead.
 * @returns no variables when there is no such file
 * @throws SettingError for a file that cannot be read, and for a line that is no variable, with its number and without its content
 */
export const readEnvFile = (path: string): ReadonlyMap<string, string> => {
  const bytes = readBytes(path);
  return bytes === undefined ? new Map() : parseEnvFile(path, decode(path, bytes));
};

const readBytes = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    // Docker creates a folder where the file of a bind mount is missing.
    if (code === 'EISDIR') throw new SettingError(path, 'must be a file with settings, not a folder.');
    const reason = errno === undefined ? code : `${getSystemErrorMessage(errno)} (${code})`;
    throw new SettingError(path, `must be readable for the user that runs Portico: ${reason}.`);
  }
};

const decode = (path: string, bytes: Buffer): string => {
  const text = decodeText(bytes);
  if (text === undefined) {
    throw new SettingError(
      path,
      'must be a text in UTF-8. Save it in that encoding, not in UTF-16 or another.',
    );
  }
  return text;
};

/**
 * Lines are blank, comments, or `NAME=value`, with `export` before it or not. A `#` begins a comment only behind white space.
 * Quoted values may have several lines; `\n` is a line break in double quotes.
 */
const parseEnvFile = (path: string, text: string): ReadonlyMap<string, string> => {
  const variables = new Map<string, string>();
  const lines = text.split(/\r\n|\r|\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (blankOrComment.test(line)) continue;
    const number = index + 1;
    const [start, name] = assignment.exec(line) ?? [];
    if (start === undefined || name === undefined) throw new SettingError(path, lineAdvice(line, number));
    const rest = line.slice(start.length);
    if (!quotes.has(rest[0])) {
      variables.set(name, rest.replace(/(^|[ \t]+)#.*$/, '').trimEnd());
      continue;
    }
    const { value, lineCount } = parseQuoted(path, [rest, ...lines.slice(index + 1)], number);
    variables.set(name, value);
    index += lineCount - 1;
  }
  return variables;
};

/** @param lines that begin with the opening quote. @param number of the first of them, for errors */
const parseQuoted = (path: string, lines: readonly string[], number: number) => {
  const quote = lines[0]?.[0] ?? '';
  const text = lines.join('\n');
  const end = text.indexOf(quote, 1);
  const content = text.slice(1, end);
  if (end < 0 || assignmentInQuotes.test(content.slice(content.indexOf('\n') + 1 || content.length))) {
    throw new SettingError(path, `must have a second ${quote} at the end of the value in line ${number}.`);
  }
  const lineCount = content.split('\n').length;
  const [behind = ''] = text.slice(end + 1).split('\n', 1);
  if (!blankOrComment.test(behind)) {
    const lastLine = number + lineCount - 1;
    throw new SettingError(
      path,
      `must have nothing behind the second ${quote} in line ${lastLine}. Quote a value that contains ${quote} differently.`,
    );
  }
  return { value: quote === '"' ? content.replaceAll('\\n', '\n') : content, lineCount };
};

/** The form of lines that are no variable, and what to do. */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    /^[ \t]*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_.-]*[ \t]*:/,
    'Write = in place of the colon behind the name.',
  ],
  [/^[ \t]*(?![ \t])[\p{Cc}\p{Cf}\p{Zs}]/u, 'Remove the invisible character at the beginning of the line.'],
  [/^[ \t]*(?:set[ \t]+|\$env:)[A-Za-z_]\w*[ \t]*=/i, 'Remove what is before the name.'],
  [
    /^[ \t]*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_.-]*[ \t]*$/,
    'Write = and the value behind a name, or # before a comment.',
  ],
];

const lineAdvice = (line: string, number: number): string => {
  const [, hint = 'Write # before a comment.'] = hints.find(([pattern]) => pattern.test(line)) ?? [];
  return `must have NAME=value in line ${number}. ${hint}`;
};
