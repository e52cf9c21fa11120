import { entities } from '../../schema/entities/all.ts';
import type { BoundStatement, TableShape } from '../../sql/session.ts';
import type { Changes } from './changes.ts';
import { insertsOf, removesOf, updatesOf } from './forms.ts';

/** A table comes behind the tables that its foreign keys refer to. */
const order: readonly string[] = entities.postgres.map(({ tableName }) => tableName);

const inOrder = (one: readonly [TableShape, unknown], other: readonly [TableShape, unknown]): number =>
  order.indexOf(one[0].name) - order.indexOf(other[0].name);

/** The statements of a write set, sent right before the commit. They raise ZP001 where a row has changed since it was read. */
export const lastStatements = (changes: Changes): BoundStatement[] => {
  const tables = [...changes.tables].sort(inOrder);
  return [
    ...tables.flatMap(([of, rows]) => insertsOf(of, rows)),
    ...tables.flatMap(([of, rows]) => updatesOf(of, rows)),
    ...tables.reverse().flatMap(([of, rows]) => removesOf(of, rows)),
  ];
};
