import { mariadbKind } from '#adapters/persistence/mariadb/kind.ts';
import { memoryKind } from '#adapters/persistence/memory/kind.ts';
import { postgresKind } from '#adapters/persistence/postgres/kind.ts';
import { sqliteKind } from '#adapters/persistence/sqlite/kind.ts';
import type { StoreKind } from '#adapters/persistence/store-kind.ts';

/** Every kind of store that ships with Portico. A new one is its folder in `adapters/persistence` and a line here. */
export const storeKinds = [
  sqliteKind,
  memoryKind,
  postgresKind,
  mariadbKind,
] as const satisfies readonly StoreKind[];

export type StoreKindName = (typeof storeKinds)[number]['name'];

/** The kinds whose data can outlive the process. */
export type KeptKindName = Extract<(typeof storeKinds)[number], { readonly keptIn: string }>['name'];

/** @throws TypeError for a name that is not in the list */
export const shippedKindOf = (name: string): StoreKind => {
  const found = storeKinds.find((kind) => kind.name === name);
  if (found === undefined) throw new TypeError(`There is no kind of store ${name}.`);
  return found;
};

/** The names of the kinds whose data can outlive the process. */
export const keptKindNames = (): readonly KeptKindName[] =>
  storeKinds.flatMap((kind) => (kind.keptIn === undefined ? [] : [kind.name]));

/** Where data can be kept, for messages: `a SQLite file, a PostgreSQL database or a MariaDB database`. @param kinds those to name */
export const placesOf = (kinds: readonly StoreKind[] = storeKinds): string =>
  alternatives(kinds.flatMap(({ keptIn }) => keptIn ?? []));

/** @returns the texts as `a, b or c` */
export const alternatives = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), texts.at(-1)].filter((text) => text).join(' or ');
