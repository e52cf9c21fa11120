import type { StoreKind, StoreLocation } from '#adapters/persistence/store-kind.ts';
import { type AdapterModule, readAdapterModule } from './adapter-module.ts';
import {
  anyText,
  type Environment,
  parseInteger,
  parseSetting,
  readText,
  SettingError,
} from './env-parser.ts';
import { alternatives, shippedKindOf, storeKinds } from './store-kinds.ts';
import { requireTlsFiles } from './tls.ts';
import { secretsInUrl } from './url-secrets.ts';

/** The database, as the settings name it. */
export interface Database extends StoreLocation {
  /** The name of its kind: see `storeKindOf`. */
  readonly kind: string;
  /** The module from outside that opens it, which alone reads its URL. */
  readonly module?: AdapterModule;
}

export const defaultDatabase = {
  kind: 'sqlite',
  url: 'sqlite:data/portico.db',
  file: 'data/portico.db',
} as const satisfies Database;

/** Whether the settings name no other database. */
export const isDefault = ({ module, url }: Database): boolean =>
  module === undefined && url === defaultDatabase.url;

/** @throws SettingError when one cannot be used, or replicas are set for a database that has none */
export const readDatabase = (environment: Environment): Database => {
  const module = readAdapterModule(environment, 'PERSISTENCE_ADAPTER');
  if (module !== undefined) return readCustomDatabase(environment, module);
  const database = parseSetting(
    environment,
    'DATABASE_URL',
    formsFor(readText(environment, 'DATABASE_URL') ?? ''),
    parseDatabase,
    defaultDatabase,
  );
  const poolSize = parseInteger(environment, 'DATABASE_POOL_SIZE', { min: 1, max: 1000 }, 10);
  const kind = shippedKindOf(database.kind);
  requireUsable('DATABASE_URL', database.url, kind);
  const replicas = readReplicas(environment, kind);
  for (const url of replicas) requireUsable('DATABASE_REPLICA_URLS', url, kind);
  if (!kind.hasPool) return database;
  return { ...database, poolSize, replicas };
};

/** The forms that a URL can have, and what to write in place of this text. */
const formsFor = (text: string): string => {
  const kinds: readonly StoreKind[] = storeKinds;
  const forms = alternatives(kinds.flatMap(({ urlForms }) => urlForms));
  const advice = kinds.flatMap(({ adviceFor }) => adviceFor?.(text.trim()) ?? []);
  return [forms, ...advice].join('. ');
};

/** @throws SettingError for parameters that have no effect, and TLS files that the driver could not read */
const requireUsable = (setting: string, url: string, kind: StoreKind): void => {
  const problem = kind.problemOf?.(url);
  if (problem !== undefined) throw new SettingError(setting, problem);
  if (kind.hasPool) requireTlsFiles(setting, url);
};

/** @throws SettingError when replicas are set, which only databases that ship with Portico have */
const readCustomDatabase = (environment: Environment, module: AdapterModule): Database => {
  const url = parseSetting(environment, 'DATABASE_URL', 'any text', anyText, '');
  const database = { kind: 'custom', url, module };
  readReplicas(environment, undefined);
  return database;
};

/** @param kind undefined for a store from outside */
const readReplicas = (environment: Environment, kind: StoreKind | undefined): readonly string[] => {
  const name = 'DATABASE_REPLICA_URLS';
  if (kind?.inspectReplica === undefined) {
    if (readText(environment, name) === undefined) return [];
    const products = storeKinds.flatMap((other) => ('inspectReplica' in other ? other.product : []));
    throw new SettingError(
      name,
      `must not be set unless DATABASE_URL is a ${alternatives(products)} database: replicas are for ${alternatives(products)} only.`,
    );
  }
  const form = `URLs such as ${kind.urlForms[0]}, with commas between`;
  return parseSetting(environment, name, form, (text) => parseReplicas(text, kind), []);
};

/** The passwords in its URLs, as they are written there and decoded. */
export const passwordsOf = ({ url, replicas = [] }: Database): readonly string[] =>
  [url, ...replicas].flatMap(secretsInUrl);

/** URLs with commas between; undefined when one of them is not of that kind. */
const parseReplicas = (text: string, kind: StoreKind): readonly string[] | undefined => {
  const texts = text.split(',').map((url) => url.trim());
  // Several with another separator would be one, with the others in the name of its database.
  if (texts.some((url) => url.split('://').length > 2)) return undefined;
  const locations = texts.map((url) => kind.parse(url));
  const urls = locations.flatMap((location) => location?.url ?? []);
  return urls.length === locations.length ? urls : undefined;
};

/** Undefined when the text names no database that Portico supports. */
export const parseDatabase = (setting: string): Database | undefined => {
  for (const kind of storeKinds) {
    const location = kind.parse(setting.trim());
    if (location !== undefined) return { kind: kind.name, ...location };
  }
  return undefined;
};
