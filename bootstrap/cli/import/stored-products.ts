import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { findImported } from '#application/use-cases/product-import.ts';
import type { Product } from '#domain/product.ts';
import { inspectStore, openStore } from '../../composition/ports/open-store.ts';
import { isPersistent } from '../../composition/ports/store-kind.ts';
import { SettingError } from '../../config/env-parser.ts';
import { loadSettings } from '../load-settings.ts';

/** @returns finds the stored product of an imported one */
export type FindStored = (
  list: readonly ImportedProduct[],
) => Promise<(imported: ImportedProduct) => Product | undefined>;

const nothing = async () => () => undefined;

/**
 * Finds products in the database that DATABASE_URL names, without changing it. It is opened at the first search, so that a
 * dry run of whole products needs none.
 */
export const storedProducts = () => {
  let opened: ReturnType<typeof openForReading> | undefined;
  return {
    find: (async (list) => {
      opened ??= openForReading();
      return (await opened).find(list);
    }) satisfies FindStored,
    close: async (): Promise<void> => (await opened?.catch(() => undefined))?.close(),
  };
};

/** @throws SettingError when the database is damaged or of another release; otherwise like `openStore` */
const openForReading = async (): Promise<{ readonly find: FindStored; close(): Promise<void> }> => {
  const { database } = loadSettings();
  const inspection = isPersistent(database) ? await inspectStore(database) : undefined;
  if (!inspection?.exists) return { find: nothing, close: async () => undefined };
  if (inspection.problem !== undefined) throw unusable(inspection.problem);
  if (inspection.pending.length + inspection.unknown.length > 0) {
    throw unusable('its tables are of another release. Run portico migrate status');
  }
  const { unitOfWork, close } = await openStore({ ...database, replicas: [] });
  return { find: (list) => unitOfWork.read(findImported(list)), close };
};

const unusable = (problem: string): SettingError =>
  new SettingError(
    'DATABASE_URL',
    `names a database that cannot be read for the lines that depend on what is stored: ${problem}.`,
  );
