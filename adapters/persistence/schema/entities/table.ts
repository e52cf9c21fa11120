import type { Collections } from '#application/ports/repositories.ts';

/** What a column takes and gives, in either database. */
export type Value = string | number | null;

/** Where a collection is kept, and what becomes of a resource on its way there and back. */
export interface Table<C extends keyof Collections, Row extends object> {
  readonly name: string;
  /** In the order in which their values are bound. */
  readonly columns: readonly (keyof Row & string)[];
  readonly toRow: (resource: Collections[C]['resource']) => {
    readonly [Column in keyof Row & string]: Value;
  };
  readonly fromRow: (row: Row) => Collections[C]['resource'];
  /** The column of each field that pages can be filtered by. */
  readonly filters: { readonly [Field in keyof Collections[C]['filter']]-?: keyof Row & string };
  /** Those of these fields that have a few values only, and which. */
  readonly choices?: { readonly [Field in keyof Collections[C]['filter']]?: readonly string[] };
}

/** Properties are named like their columns. */
export const columnsOf = <P extends object>(entity: { readonly properties: P }) =>
  Object.keys(entity.properties) as (keyof P & string)[];
