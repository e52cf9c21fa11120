import { type EntityMetadata, type EntityProperty, type MetadataStorage, TextType } from '@mikro-orm/core';
import { onePaymentPerOrder } from './payment.ts';

/**
 * Gives entities the types and indexes of MariaDB, which differ from those that MikroORM chooses by itself: a `text` is in no index,
 * and no index is partial.
 */
export const describeOnMariaDb = (metadata: MetadataStorage): void => {
  for (const meta of metadata.getAll().values()) {
    for (const property of Object.values(meta.properties)) describeColumn(property);
    describeIndexes(meta);
  }
};

const describeColumn = (property: EntityProperty): void => {
  const { customType, type, length } = property;
  if (customType instanceof TextType || type === 'text')
    property.columnTypes = [length === undefined ? 'text' : textOf(length)];
  // A `tinyint(1)` holds the same: the length is that of a display.
  if (type === 'boolean') property.columnTypes = ['tinyint'];
  // MikroORM would make the numbers of primary keys unsigned.
  property.unsigned = false;
};

/** @param length in characters, of which each has up to four bytes in a key */
const textOf = (length: number): string => {
  if (length <= 700) return `varchar(${length})`;
  return length < 2 ** 24 ? 'mediumtext' : 'longtext';
};

/**
 * A unique index has any number of nulls, and an index of all rows finds those that are not null, so their condition is left out. The
 * condition of `onePaymentPerOrder` is in a generated column, which the baseline declares.
 */
const describeIndexes = (meta: EntityMetadata): void => {
  meta.uniques = meta.uniques.filter(({ name }) => name !== onePaymentPerOrder);
  for (const index of [...meta.indexes, ...meta.uniques])
    if (typeof index.where === 'string' && index.where.endsWith(' is not null')) delete index.where;
};
