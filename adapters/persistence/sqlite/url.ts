import { statSync } from 'node:fs';

/** Two slashes would name a host. */
const form = /^sqlite:(?!\/\/[^/]).+$/;

/** The file of a URL, in which nothing is decoded or replaced; undefined when it is no URL of SQLite. */
export const fileOfUrl = (url: string): string | undefined =>
  form.test(url) ? url.slice('sqlite:'.length).replace(/^\/\/\//, '/') : undefined;

/** What other tools, shells and templates understand. Here it would be a part of the name of a new, empty file. */
const foreignForms: readonly (readonly [RegExp, string])[] = [
  [/^["'`]|["'`]$/, 'must not have quotes around the path.'],
  [/^\s/, 'must not have a space behind sqlite:.'],
  [/^\/*file:/i, 'must not have file: behind sqlite:.'],
  [/^\/*sqlite:/i, 'must not have sqlite: twice.'],
  [/^\/?~(\/|$)|^~[^/]+\//, 'must not begin with ~, which only a shell replaces.'],
  [/\$[\w{(]|\{\{|%[a-z_]{3,}%/i, 'must not have the name of a variable, which only a shell replaces.'],
  [/\?/, 'must not have ?: it takes no parameters, because Portico sets the options of SQLite itself.'],
  [/#[^/]*$/, 'must not have # in the name of the file.'],
  [/%[\da-f]{2}/i, 'must not have % with two digits: nothing is decoded.'],
  [/^\/?[a-z]:[\\/]/i, 'must not begin with a drive: Portico runs on Linux, macOS and WSL.'],
  [/\\/, 'must not have a backslash. Write / between folders.'],
  [/[\p{Cc}\p{Cf}]/u, 'must not have invisible characters.'],
  [/[;&][^/;&=]+=/, 'must not have options behind the path, because Portico sets those of SQLite itself.'],
  [/^<.*>$/, 'must have the path of a file in place of < and >.'],
  [/^\/*:?memory:$|^\/*:memory$/i, 'must be sqlite::memory: for a database in memory.'],
  [/(^|\/)\.{0,2}$/, 'must name a file, not a folder.'],
];

const example = 'Write the path as it is, as in sqlite:/var/lib/portico/portico.db.';

/** What is wrong with a URL that other tools would read differently, behind the name of the setting. */
export const urlProblem = (url: string): string | undefined => {
  const file = fileOfUrl(url) ?? '';
  if (file === ':memory:') return undefined;
  const [, problem] = foreignForms.find(([pattern]) => pattern.test(file)) ?? [];
  if (problem === undefined) return undefined;
  const used = isFile(file)
    ? ' There is a file with exactly that name: to keep its data, rename it first, with its -wal and -shm.'
    : '';
  return `${problem} ${example}${used}`;
};

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Schemes of other tools for SQLite: of Prisma, SQLAlchemy, JDBC and the like. */
const foreignScheme = /^(file|sqlite3|better-sqlite3|jdbc:sqlite3?|sqlite3?[+.][\w+.-]*):/i;

const pathAlone = /^[./~\w-][^:@]*\.(db|sqlite3?)\b/i;

/** What to write in place of a text that is no URL of any database but was meant for SQLite. It shows nothing of a path. */
export const urlAdvice = (text: string): string | undefined => {
  const [, scheme] = foreignScheme.exec(text) ?? [];
  if (scheme !== undefined) return `Write sqlite: in place of ${scheme}:`;
  if (/^sqlite:(?!\/\/[^/])/i.test(text) && !text.startsWith('sqlite:'))
    return 'Write sqlite: in small letters';
  if (/^sqlite:./i.test(text)) return 'Write the path behind sqlite:, without slashes before a relative path';
  return pathAlone.test(text) ? 'Write sqlite: before the path of a SQLite file' : undefined;
};
