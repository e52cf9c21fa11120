import type { StoreKind, StoreLocation } from '../store-kind.ts';
import { fileOfUrl, urlAdvice, urlProblem } from './url.ts';

const fileOf = ({ file }: StoreLocation): string => {
  if (file === undefined) throw new TypeError('A SQLite database has a file.');
  return file;
};

export const sqliteKind = {
  name: 'sqlite',
  product: 'SQLite',
  urlForms: ['sqlite:<file>', 'sqlite::memory:'],
  keptIn: 'a SQLite file',
  hasOwnClock: false,
  sharesFile: true,
  hasPool: false,
  parse: (url) => {
    const file = fileOfUrl(url);
    return file === undefined ? undefined : { url, file };
  },
  problemOf: urlProblem,
  adviceFor: urlAdvice,
  isKept: (location) => fileOf(location) !== ':memory:',
  open: async (location) => (await import('./open.ts')).openSqlite({ file: fileOf(location) }),
  inspect: async (location) => (await import('./inspect.ts')).inspectSqlite({ file: fileOf(location) }),
  backup: async (options) => (await import('./files/backup.ts')).backupSqlite(options),
} as const satisfies StoreKind;
