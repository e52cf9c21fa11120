import type { EntitySchema } from '@mikro-orm/core';
import type { Collections } from '#application/ports/repositories.ts';

/** The value of a column, as both databases bind and return it. */
export type Value = string | number | null;

/** Rows hold numbers, texts and nulls only, on every database. */
export type Row = Readonly<Record<string, Value>>;

/** The data mapper of a collection: its table, and how its resources become rows and back. */
export interface Table<C extends keyof Collections, Row extends object> {
  readonly name: string;
  /** What the migrations of the table must match. */
  readonly entity: EntitySchema;
  /** In the order in which their values are bound, the id first. */
  readonly columns: readonly (keyof Row & string)[];
  readonly toRow: (resource: Collections[C]['resource']) => {
    readonly [Column in keyof Row & string]: Value;
  };
  readonly fromRow: (row: Row) => Collections[C]['resource'];
  /** The column of each field that pages can be filtered by. */
  readonly filters: { readonly [Field in keyof Collections[C]['filter']]-?: keyof Row & string };
  /** The possible values of those fields that have few of them. */
  readonly choices?: { readonly [Field in keyof Collections[C]['filter']]?: readonly string[] };
}

/** What a table has from its entity, whose properties are named like the columns. */
export const tableOf = <P extends object>(entity: EntitySchema & { readonly properties: P }) => ({
  name: entity.tableName,
  entity,
  columns: Object.keys(entity.properties) as (keyof P & string)[],
});
