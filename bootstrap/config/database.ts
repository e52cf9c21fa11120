/** Where everything is kept. Each kind has an adapter of its own, and the application never knows which. */
export type Database =
  | { readonly kind: 'memory'; readonly url: string }
  | { readonly kind: 'sqlite'; readonly url: string; readonly file: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /** How many connections at the most. */
      readonly poolSize?: number;
      readonly replicas?: readonly string[];
    };

/** What one gets without setting anything. */
export const defaultDatabase = {
  kind: 'sqlite',
  url: 'sqlite:data/portico.db',
  file: 'data/portico.db',
} satisfies Database;

/** Whether it outlives the process. */
export const isPersistent = (database: Database): boolean =>
  database.kind === 'postgres' || (database.kind === 'sqlite' && database.file !== ':memory:');

/** Addresses with commas between; undefined when one of them is none of PostgreSQL's. */
export const parseReplicas = (text: string): readonly string[] | undefined => {
  const urls = text.split(',').map((url) => url.trim());
  return urls.every((url) => parseDatabase(url)?.kind === 'postgres') ? urls : undefined;
};

/** Undefined when the text names no database that Portico knows. */
export const parseDatabase = (given: string): Database | undefined => {
  const text = given.trim();
  if (text === 'memory:') return { kind: 'memory', url: text };
  // What has two slashes would name a host.
  if (/^sqlite:(?!\/\/[^/]).+$/.test(text)) {
    return { kind: 'sqlite', url: text, file: text.slice('sqlite:'.length).replace(/^\/\/\//, '/') };
  }
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return undefined;
  const isComplete =
    /^\/./.test(url.pathname) && isDecodable(text) && url.searchParams.getAll('port').every(isPort);
  return isComplete ? { kind: 'postgres', url: text } : undefined;
};

/** Otherwise the driver fails where nobody hears of it. */
const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};
