import { Instant } from './instant.ts';

/** What an order has to do with its expiry. */
interface Expiring {
  readonly createdAt: Instant;
  readonly unlockedAt: Instant | null;
}

/** How long a second try is, in milliseconds. */
const secondTryMs = 15 * 60 * 1000;

/**
 * When an order that is not paid is canceled: at the end of its lifetime, or at the end of its second try when a payment locked it then.
 * The second try begins when a lock first ends after the lifetime. It is given once, so that stock is not held for ever without a payment.
 * A lifetime is in milliseconds; 0 means forever.
 */
export const OrderExpiry = {
  secondTryMs,

  /** Whether the order was given its second try, which may be over. */
  hasSecondTry: ({ createdAt, unlockedAt }: Expiring, lifetimeMs: number): boolean =>
    lifetimeMs > 0 && unlockedAt !== null && unlockedAt > Instant.plus(createdAt, lifetimeMs),

  isSecondTryOver: (order: Expiring, lifetimeMs: number, at: Instant): boolean =>
    OrderExpiry.hasSecondTry(order, lifetimeMs) &&
    order.unlockedAt !== null &&
    Instant.plus(order.unlockedAt, secondTryMs) <= at,
};
