import { type Line, refundOf } from '../../lab/clients/requests.ts';
import type { Subject } from '../../lab/clients/response.ts';
import type { RetriedRequest } from '../../lab/clients/retried-request.ts';
import type { Visit } from '../visit.ts';
import type { Person } from './person.ts';

export const newUser = (visit: Visit, person: Person): RetriedRequest => {
  const { mark } = person;
  return visit.newRequest({
    about: person,
    kind: 'user',
    method: 'POST',
    path: '/v1/users',
    token: visit.shop.admin,
    body: { email: `${mark}@example.com`, name: mark, external_id: mark, metadata: person.metadata },
    expectedOutcomes: ['201'],
  });
};

/** An order with the texts that a customer writes. */
export const orderWithTexts = (
  visit: Visit,
  { mark, address }: Person,
  lines: readonly Line[],
  expectedOutcomes: readonly string[] = ['201'],
): RetriedRequest =>
  visit.newRequest({
    kind: 'order',
    method: 'POST',
    path: '/v1/orders',
    token: visit.customer,
    body: {
      items: lines.map(([product, quantity]) => ({ product_id: product, quantity })),
      ...{ note: `Ring at ${mark}`, shipping_address: address, billing_address: address },
    },
    expectedOutcomes,
  });

/** Staff order for a person who is erased. */
export const orderFor = (visit: Visit, { id }: Person, [product, quantity]: Line): RetriedRequest =>
  visit.newRequest({
    kind: 'order',
    method: 'POST',
    path: '/v1/orders',
    token: visit.shop.staff,
    body: { user_id: id, product_id: product, quantity },
    expectedOutcomes: ['409 INVALID_STATE'],
  });

/** Staff write texts about the person. */
export const describe = (
  visit: Visit,
  collection: 'orders' | 'payments' | 'refunds',
  { id }: Subject,
  body: object,
  ...orElse: string[]
): RetriedRequest =>
  visit.newRequest({
    ...{ kind: 'details', method: 'PATCH', path: `/v1/${collection}/${id}`, token: visit.shop.staff, body },
    expectedOutcomes: ['200', ...orElse],
  });

export const refundWithReason = (
  visit: Visit,
  { mark }: Person,
  payment: Subject,
  amount?: number,
): RetriedRequest =>
  visit.newRequest(refundOf(payment, visit.shop.staff, amount, { reason: `${mark} was not content` }));

export const review = (visit: Visit, { mark }: Person, { id }: Subject): RetriedRequest =>
  visit.newRequest({
    kind: 'review',
    method: 'POST',
    path: '/v1/reviews',
    token: visit.customer,
    body: { item_id: id, rating: 4, title: `By ${mark}`, body: `${mark} was content` },
    expectedOutcomes: ['201'],
  });

/**
 * @param visit of the administrator: the response to an erasure outlives what it erases
 * @param rejection is forgotten once the request is rejected: its message names orders of the person, so the erasure empties it
 */
export const erasure = (visit: Visit, { id }: Person, rejection = { isForgotten: false }): RetriedRequest =>
  visit.newRequest({
    about: rejection,
    kind: 'erasure',
    method: 'POST',
    path: '/v1/erasures',
    token: visit.shop.admin,
    body: { user_id: id },
    expectedOutcomes: ['201', '409 INVALID_STATE'],
  });
