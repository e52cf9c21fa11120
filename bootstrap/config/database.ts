import { type Environment, parseInteger, parseSetting, SettingError } from './env-parser.ts';
import { requireTlsFiles } from './tls.ts';

/** The database. Each kind has an adapter of its own. */
export type Database =
  | { readonly kind: 'memory'; readonly url: string }
  | { readonly kind: 'sqlite'; readonly url: string; readonly file: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /** The maximum number of connections. */
      readonly poolSize?: number;
      readonly replicas?: readonly string[];
    };

export const defaultDatabase = {
  kind: 'sqlite',
  url: 'sqlite:data/portico.db',
  file: 'data/portico.db',
} satisfies Database;

/** Whether its content outlives the process. */
export const isPersistent = (database: Database): boolean =>
  database.kind === 'postgres' || (database.kind === 'sqlite' && database.file !== ':memory:');

/** @throws SettingError when one cannot be used, or replicas are set for another database than PostgreSQL */
export const readDatabase = (environment: Environment): Database => {
  const database = parseSetting(
    environment,
    'DATABASE_URL',
    'sqlite:<file>, sqlite::memory:, memory: or postgres://<user>:<password>@<host>:<port>/<database>',
    parseDatabase,
    defaultDatabase,
  );
  const poolSize = parseInteger(environment, 'DATABASE_POOL_SIZE', { min: 1, max: 1000 }, 10);
  const replicas = parseSetting(
    environment,
    'DATABASE_REPLICA_URLS',
    'URLs such as postgres://<user>:<password>@<host>:<port>/<database>, with commas between',
    parseReplicas,
    [],
  );
  if (database.kind === 'postgres') {
    requireTlsFiles('DATABASE_URL', database.url);
    for (const url of replicas) requireTlsFiles('DATABASE_REPLICA_URLS', url);
    return { ...database, poolSize, replicas };
  }
  if (replicas.length === 0) return database;
  throw new SettingError(
    'DATABASE_REPLICA_URLS',
    'must not be set unless DATABASE_URL is a PostgreSQL database: replicas are for PostgreSQL only.',
  );
};

/** The passwords in its URLs, as they are written there and decoded. */
export const passwordsOf = (database: Database): readonly string[] => {
  const replicas = (database.kind === 'postgres' && database.replicas) || [];
  return [database.url, ...replicas].flatMap(passwordsIn).flatMap((text) => [text, decode(text) ?? text]);
};

/** PostgreSQL accepts a password in the place that URLs have for it, and among the parameters. */
const passwordsIn = (text: string): readonly string[] => {
  const url = URL.parse(text);
  return url === null ? [] : [url.password, ...url.searchParams.getAll('password')];
};

/** URLs with commas between; undefined when one of them is not of PostgreSQL. */
const parseReplicas = (text: string): readonly string[] | undefined => {
  const urls = text.split(',').map((url) => url.trim());
  return urls.every((url) => parseDatabase(url)?.kind === 'postgres') ? urls : undefined;
};

/** Undefined when the text names no database that Portico supports. */
export const parseDatabase = (setting: string): Database | undefined => {
  const text = setting.trim();
  if (text === 'memory:') return { kind: 'memory', url: text };
  // Two slashes would name a host.
  if (/^sqlite:(?!\/\/[^/]).+$/.test(text)) {
    return { kind: 'sqlite', url: text, file: text.slice('sqlite:'.length).replace(/^\/\/\//, '/') };
  }
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return undefined;
  const isComplete =
    /^\/./.test(url.pathname) && decode(text) !== undefined && url.searchParams.getAll('port').every(isPort);
  return isComplete ? { kind: 'postgres', url: text } : undefined;
};

/** The driver throws for another port where no caller can catch it. */
const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
