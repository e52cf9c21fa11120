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
export const embeddedDefault = {
  kind: 'sqlite',
  url: 'sqlite:data/portico.db',
  file: 'data/portico.db',
} satisfies Database;

/** Whether it outlives the process. */
export const isKept = (database: Database): boolean =>
  database.kind === 'postgres' || (database.kind === 'sqlite' && database.file !== ':memory:');

/** Addresses with commas between; undefined when one of them is none of PostgreSQL's. */
export const readReplicas = (text: string): readonly string[] | undefined => {
  const urls = text.split(',').map((url) => url.trim());
  return urls.every((url) => readDatabase(url)?.kind === 'postgres') ? urls : undefined;
};

/** Undefined when the text names no database that Portico knows. */
export const readDatabase = (given: string): Database | undefined => {
  const text = given.trim();
  if (text === 'memory:') return { kind: 'memory', url: text };
  if (/^sqlite:.+$/.test(text)) {
    return { kind: 'sqlite', url: text, file: text.slice('sqlite:'.length).replace(/^\/\/\//, '/') };
  }
  const { protocol, pathname = '' } = URL.parse(text) ?? {};
  const isPostgres = protocol === 'postgres:' || protocol === 'postgresql:';
  const isComplete = /^\/./.test(pathname) && !/%(?![0-9a-f]{2})/i.test(text);
  return isPostgres && isComplete ? { kind: 'postgres', url: text } : undefined;
};
