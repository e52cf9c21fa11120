import type { StoreKind } from '#adapters/persistence/store-kind.ts';
import type { Database } from '../../config/database.ts';
import { shippedKindOf } from '../../config/store-kinds.ts';
import { customKind } from './custom-store.ts';

/** The kind of a database's store, shipped with Portico or from outside. @throws TypeError for a name that is not in the list */
export const storeKindOf = ({ kind, module }: Pick<Database, 'kind' | 'module'>): StoreKind =>
  module === undefined ? shippedKindOf(kind) : customKind(module);

/** Whether its content outlives the process. */
export const isPersistent = (database: Database): boolean => storeKindOf(database).isKept(database);

/** The file that keeps the data; undefined when a server keeps it, or nothing does. */
export const keptFileOf = (database: Database): string | undefined =>
  isPersistent(database) ? database.file : undefined;
