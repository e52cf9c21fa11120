import { type Platform, p, Type } from '@mikro-orm/core';
import type { Id } from '#domain/id.ts';
import type { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { Resource } from '#domain/resource.ts';

/** SQLite knows no moments, and keeps the text itself: it sorts by time as it is. */
class InstantType extends Type<Instant, string> {
  override getColumnType(_: unknown, platform: Platform): string {
    const declared = platform.getDateTimeTypeDeclarationSQL({ length: 3 });
    return declared.startsWith('timestamptz') ? declared : 'text';
  }
}

export const instant = () => p.type(InstantType);

export const amount = () => p.bigint('number').$type<number>();

export const currency = () => p.string().length(3).$type<string>();

/** A quantity as the domain counts it, in thousandths. */
export const thousandths = () => p.bigint('number').$type<Quantity>();

/** A truth value as both databases take and give it: SQLite has no other, and PostgreSQL is told to. */
export type Flag = 0 | 1;

export const flag = () => p.boolean().$type<Flag>();

export const flagOf = (value: boolean): Flag => (value ? 1 : 0);

/** The columns that every resource has. */
export const resource = <I extends Id>() => ({
  id: p.uuid().$type<I>().primary(),
  version: p.integer(),
  created_at: instant(),
  updated_at: instant(),
});

interface ResourceRow<I extends Id> {
  readonly id: I;
  readonly version: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export const rowOfResource = <I extends Id>(of: Resource<I>): ResourceRow<I> => ({
  id: of.id,
  version: of.version,
  created_at: of.createdAt,
  updated_at: of.updatedAt,
});

export const resourceOfRow = <I extends Id>(row: ResourceRow<I>): Resource<I> => ({
  id: row.id,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const money = (inMinorUnits: number, inCurrency: string): Money => ({
  amount: inMinorUnits,
  currency: inCurrency,
});
