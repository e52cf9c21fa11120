import type { Flag } from '../schema/entities/columns.ts';
import { flagOf } from '../schema/entities/columns.ts';
import { parameter } from './builder.ts';
import type { Select } from './dialect.ts';

/** Where a page begins, and in which order of ids it goes on. */
export interface Keyset {
  readonly isDescending: boolean;
  readonly hasAfter: boolean;
}

export const inOrder = (page: Select, keyset: Keyset): Select => sorted(beyond(page, keyset), keyset);

/** The rows behind the cursor, which is the parameter `after`. */
export const beyond = (page: Select, { isDescending, hasAfter }: Keyset): Select => {
  const after = isDescending ? '<' : '>';
  return hasAfter ? page.where('id', after, parameter('after')) : page;
};

export const sorted = (rows: Select, { isDescending }: Keyset): Select =>
  isDescending ? rows.orderBy('id', 'desc') : rows.orderBy('id');

/** A field, and the value that it must have. */
export type Condition<V = string | Flag> = readonly [field: string, value: V];

export const conditionsOf = (filter: object): Condition[] =>
  Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, typeof value === 'boolean' ? flagOf(value) : value] as const],
  );
