import { type EntitySchema, type Platform, p, Type } from '@mikro-orm/core';
import type { Instant } from '#domain/instant.ts';
import type { Metadata } from '#domain/metadata.ts';
import type { Money } from '#domain/money.ts';
import type { Failure } from '#domain/payment.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { TaxRate } from '#domain/tax.ts';

/** An instant: `timestamptz` on PostgreSQL, `datetime` on MariaDB, and on SQLite its ISO 8601 text, which sorts by time. */
class InstantType extends Type<Instant, string> {
  override getColumnType(_: unknown, platform: Platform): string {
    const declared = platform.getDateTimeTypeDeclarationSQL({ length: 3 });
    return declared.endsWith('(3)') ? declared : 'text';
  }
}

/** Whether a column of an entity holds an instant. */
export const isInstant = (property: unknown): boolean =>
  (property as { readonly type?: unknown }).type === InstantType;

export const instant = () => p.type(InstantType);

export const amount = () => p.bigint('number').$type<number>();

export const currency = () => p.string().length(3).$type<string>();

/** One of few values. The lengths of texts are those of MariaDB: the other databases limit none. */
export const choice = <T extends string>() => p.text().length(32).$type<T>();

/** The name of a type of events or their subjects. */
export const typeName = <T extends string>() => p.text().length(64).$type<T>();

/** A text that an index holds. MariaDB indexes only what has a length. */
export const indexedText = () => p.text().length(320);

/** A text of more than 64 KiB: up to 16 MiB on MariaDB, whose `text` holds less. */
export const mediumText = () => p.text().length(2 ** 24 - 1);

/** A quantity, in thousandths as the domain counts it. */
export const thousandths = () => p.bigint('number').$type<Quantity>();

/** A boolean as both databases bind and return it. SQLite has no other, and the decoder of PostgreSQL follows. */
export type Flag = 0 | 1;

export const flag = () => p.boolean().$type<Flag>();

export const flagOf = (value: boolean): Flag => (value ? 1 : 0);

/** A value in JSON, as a text. */
export const json = () => p.text();

/** The column of metadata: a JSON object of texts. */
export const metadata = () => ({ metadata: json().default('{}') });

export const rowOfMetadata = ({
  metadata,
}: {
  readonly metadata: Metadata;
}): { readonly metadata: string } => ({
  metadata: JSON.stringify(metadata),
});

export const metadataOfRow = (row: { readonly metadata: string }): { readonly metadata: Metadata } => ({
  metadata: JSON.parse(row.metadata),
});

/**
 * The unique index of external ids. Most rows have none: a partial index has no entry for them, so their inserts do not write to it.
 * MariaDB has no partial indexes.
 */
export const uniqueExternalId: { properties: ['external_id']; where: string } = {
  properties: ['external_id'],
  where: 'external_id is not null',
};

/** A tax rate in thousandths of a percent, as the domain counts it. */
export const taxRate = () => p.integer().$type<TaxRate>();

/** A reference to a resource: a foreign key without index. What is referred to cannot be deleted. */
export const reference = <I extends Id>({ entity }: { readonly entity: EntitySchema }, column: string) =>
  p.manyToOne(entity).mapToPk().$type<I>().fieldName(column).index(false).deleteRule('no action');

/** The columns of every resource. */
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

/** The columns of a provider's verdict: its reference when it succeeded, or why it failed. */
export const verdict = () => ({
  provider_reference: p.text().strictNullable(),
  failure_code: p.text().strictNullable(),
  failure_message: p.text().strictNullable(),
});

interface Settled {
  readonly providerReference: string | null;
  readonly failure: Failure | null;
}

interface VerdictRow {
  readonly provider_reference: string | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
}

export const rowOfVerdict = ({ providerReference, failure }: Settled): VerdictRow => ({
  provider_reference: providerReference,
  failure_code: failure?.code ?? null,
  failure_message: failure?.message ?? null,
});

export const verdictOfRow = (row: VerdictRow): Settled => ({
  providerReference: row.provider_reference,
  failure:
    row.failure_code === null || row.failure_message === null
      ? null
      : { code: row.failure_code, message: row.failure_message },
});
