import { Address } from './address.ts';
import { DomainError } from './errors.ts';
import type { Instant } from './instant.ts';
import { Metadata } from './metadata.ts';
import type { Order, OrderId } from './order.ts';
import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import type { Review } from './review.ts';
import { User, type UserId } from './user.ts';
import { endOfAnyPayment } from './ways-out.ts';

export type ErasureId = Id<'erasure'>;

export const erasureStatuses = ['pending', 'completed'] as const;
export type ErasureStatus = (typeof erasureStatuses)[number];

/** The erasure of a user's personal data. The user is locked when it begins, and their rows follow in batches. */
export interface Erasure extends Resource<ErasureId> {
  readonly userId: UserId;
  readonly status: ErasureStatus;
}

/** Orders, sums, payments and ratings stay, because a shop must keep its books. Texts and metadata go. */
export const Erasure = {
  begin: (id: ErasureId, userId: UserId, at: Instant): Erasure => ({
    ...newResource(id, at),
    userId,
    status: 'pending',
  }),

  complete: (erasure: Erasure, at: Instant): Erasure => updated(erasure, { status: 'completed' }, at),

  /** Locks the user. @throws DomainError 'invalid-state' when erased already */
  ofUser: (user: User, at: Instant): User =>
    updated(
      User.requireActive(user),
      {
        status: 'erased',
        email: User.erasedEmail(user.id),
        name: 'Erased',
        externalId: null,
        metadata: Metadata.none,
      },
      at,
    ),

  ofOrder: (order: Order, at: Instant): Order =>
    updated(
      order,
      {
        externalId: null,
        metadata: Metadata.none,
        shippingAddress: order.shippingAddress && Address.erase(order.shippingAddress),
        billingAddress: order.billingAddress && Address.erase(order.billingAddress),
        note: null,
      },
      at,
    ),

  ofPayment: (payment: Payment, at: Instant): Payment => updated(payment, { metadata: Metadata.none }, at),

  ofRefund: (refund: Refund, at: Instant): Refund =>
    updated(refund, { reason: null, metadata: Metadata.none }, at),

  ofReview: (review: Review, at: Instant): Review => updated(review, { title: null, body: null }, at),

  /** Whether an erasure has changed more than version and time. */
  hasChanged: (before: Resource, after: Resource): boolean => content(before) !== content(after),
};

const content = (resource: Resource): string =>
  JSON.stringify({ ...resource, version: undefined, updatedAt: undefined });

const ends = {
  payment: `A payment of the user has not ended. ${endOfAnyPayment}`,
  refund: 'A refund of the user is pending. It ends when the payment provider has decided.',
  dispute:
    "A dispute of a payment of the user is open. Answer or accept it at the payment provider: it ends when the payer's bank has decided.",
} as const;

/** A payment or refund whose outcome is unknown must reach its user's order first. */
export const unsettled = (what: keyof typeof ends): DomainError =>
  new DomainError('invalid-state', `${ends[what]} Repeat the request then.`);

/**
 * A paid order needs its address until it is sent.
 * @param ids of paid orders
 * @param hasMore whether there are others
 */
export const unsent = (ids: readonly OrderId[], hasMore: boolean): DomainError =>
  new DomainError(
    'invalid-state',
    `The user has paid orders that must still be sent: ${ids.join(', ')}${hasMore ? ' and others' : ''}. Fulfill, refund or cancel them first, then repeat the request.`,
  );
