import type { SubjectType } from '#domain/event.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import type { Resource } from '#domain/resource.ts';
import type { Collections } from '../ports/repositories.ts';
import { declarations } from './declarations.ts';

/** Fields with the value that they have in events of releases before they were added. */
export type AddedFields = {
  readonly [C in keyof Collections]?: {
    readonly [F in keyof Collections[C]['resource']]?: (
      data: Collections[C]['resource'],
    ) => Collections[C]['resource'][F];
  };
};

/**
 * The fields that a release has added to what events hold: the release that adds one names the value that older events are shown
 * with, such as `products: { weight: () => null }`. `test/upgrades` fails until it is named.
 */
const addedFields: AddedFields = {
  disputes: { closedAt: () => null },
  orders: { paidAt: () => null },
  payments: { succeededAt: () => null },
  products: { quantityStep: () => null },
  refunds: { succeededAt: () => null },
  reviews: { userProduct: () => null },
};

/** The data of a stored event, with every field that its release did not have. */
export const withAddedFields = (subject: SubjectType, data: Resource, added = addedFields): Resource => {
  const filled = filledBy(added[collectionOf(subject)], data);
  const { items } = data as Order & { readonly items?: readonly OrderItem[] };
  return subject === 'order' && items !== undefined
    ? ({ ...filled, items: items.map((item) => filledBy(added.orderItems, item)) } as Resource)
    : filled;
};

const filledBy = <T extends Resource>(fields: object = {}, data: T): T => {
  const missing = Object.entries<(data: T) => unknown>({ ...fields }).filter(
    ([name]) => data[name as keyof T] === undefined,
  );
  if (missing.length === 0) return data;
  return { ...data, ...Object.fromEntries(missing.map(([name, fill]) => [name, fill(data)])) };
};

const collections = new Map(
  Object.entries(declarations).flatMap(([name, declaration]) =>
    'subject' in declaration ? [[declaration.subject, name as keyof Collections] as const] : [],
  ),
);

const collectionOf = (subject: SubjectType): keyof Collections => {
  const collection = collections.get(subject);
  if (collection === undefined) throw new TypeError(`No collection has events of ${subject}.`);
  return collection;
};
