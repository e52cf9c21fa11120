import { type Housekeeping, housekeeping } from './background/background-jobs.ts';
import { type Idempotency, idempotency } from './idempotency/idempotency.ts';
import type { MintToken } from './ports/authenticator.ts';
import type { Clock } from './ports/clock.ts';
import type { RememberedKey } from './ports/idempotency.ts';
import type { NewId } from './ports/ids.ts';
import type { PaymentProvider } from './ports/payment-provider.ts';
import type { UnitOfWork } from './ports/unit-of-work.ts';
import type { Phases } from './use-case.ts';
import { apiKeyUseCases } from './use-cases/api-keys.ts';
import { orderItemUseCases } from './use-cases/order-items.ts';
import { orderUseCases } from './use-cases/orders.ts';
import { paymentUseCases } from './use-cases/payments.ts';
import { productUseCases } from './use-cases/products.ts';
import { refundUseCases } from './use-cases/refunds.ts';
import { reviewUseCases } from './use-cases/reviews.ts';
import { userUseCases } from './use-cases/users.ts';

/** What the application needs from outside. */
export interface Surroundings {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly mintToken: MintToken;
  readonly provider: PaymentProvider;
}

/** The times that an operator may set, in milliseconds. */
export interface Times {
  readonly lease: number;
  readonly reconcileAfter: number;
  /** 0 is for ever. */
  readonly orderLifetime: number;
}

/** Everything that can be asked for, by resource. */
export const useCases = (surroundings: Omit<Surroundings, 'unitOfWork'>) => ({
  products: productUseCases(surroundings),
  users: userUseCases(surroundings),
  orders: orderUseCases(surroundings),
  orderItems: orderItemUseCases(surroundings),
  reviews: reviewUseCases(surroundings),
  payments: paymentUseCases(surroundings),
  refunds: refundUseCases(surroundings),
  apiKeys: apiKeyUseCases(surroundings),
});

export type UseCases = ReturnType<typeof useCases>;

/** The application: what can be asked for, how it is carried out once, and what it does unasked. */
export const portico = (surroundings: Surroundings, times: Times) => {
  const { unitOfWork, clock } = surroundings;
  const asked = useCases(surroundings);
  const once = idempotency({ unitOfWork, clock, leaseMilliseconds: times.lease });
  const unasked: Housekeeping = housekeeping({
    unitOfWork,
    clock,
    recoveries: new Map([recovery(once, asked.payments.recovery), recovery(once, asked.refunds.recovery)]),
    leaseMilliseconds: times.lease,
    reconcileAfterMilliseconds: times.reconcileAfter,
    orderLifetimeMilliseconds: times.orderLifetime,
  });
  return { useCases: asked, unitOfWork, idempotency: once, housekeeping: unasked };
};

/** How what was left behind is taken up, under the name of its process. */
const recovery = <S>(once: Idempotency, phases: Phases<S>) =>
  [phases.process, (key: RememberedKey) => once.recover(key, phases)] as const;

export type Portico = ReturnType<typeof portico>;
