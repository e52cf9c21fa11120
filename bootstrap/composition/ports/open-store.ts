import type { Inspection, Store } from '#adapters/persistence/store.ts';
import type { OpenOptions, StoreKind } from '#adapters/persistence/store-kind.ts';
import type { Database } from '../../config/database.ts';
import { SettingError } from '../../config/env-parser.ts';
import { storeKindOf } from './store-kind.ts';

/**
 * Opens the configured store. Only its adapter is loaded, to keep starts short.
 * @throws ApplicationError 'unavailable'; SettingError when the optional package of its adapter is not installed
 */
export const openStore = async (database: Database, options?: OpenOptions): Promise<Store> => {
  const kind = storeKindOf(database);
  return withOptionalPackage(kind, () => kind.open(database, options));
};

/** Reports the state of the configured store without changing it. @throws like `openStore` */
export const inspectStore = async (database: Database): Promise<Inspection | undefined> => {
  const kind = storeKindOf(database);
  return withOptionalPackage(kind, () => kind.inspect(database));
};

/** Runs what imports the adapter. @throws SettingError that names the package when it is not installed */
export const withOptionalPackage = async <T>(
  { product, optionalPackage }: Pick<StoreKind, 'product' | 'optionalPackage'>,
  load: () => Promise<T>,
): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    if (optionalPackage === undefined || !isMissing(optionalPackage, error)) throw error;
    throw new SettingError(
      'DATABASE_URL',
      `names a ${product} database, which needs the package ${optionalPackage}. Run npm install ${optionalPackage}.`,
    );
  }
};

/** Node names the package in quotes. */
const isMissing = (name: string, error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(`'${name}'`);
