import { ConstraintViolation, UnavailableError } from '#application/errors.ts';
import { DomainError } from '#domain/errors.ts';
import type { Order, OrderId } from '#domain/order.ts';
import { Payment, type PaymentStatus, paymentStatuses } from '#domain/payment.ts';
import type { UserId } from '#domain/user.ts';
import { describeCollections } from '../collections.ts';
import { describeConstraints } from '../constraints.ts';
import { type AnyRepository, references, repositoryOf } from '../every-collection.ts';
import type { Harness } from '../harness.ts';
import { aUser } from '../samples.ts';
import { describeSeveral } from '../several.ts';
import {
  everyRepository,
  type WrongAdapter,
  withMethods,
  wrongCollections,
  wrongInWork,
  wrongly,
  wrongRepositories,
} from './wrapping.ts';

/** An order of an unknown user is added, and a user with orders is removed. */
const noReferences = (): Promise<Harness> => {
  const removed = new Set<UserId>();
  return wrongRepositories(({ users, orders }) => ({
    orders: withMethods(orders, {
      add: async (order: Order) => {
        if ((await users.find(order.userId)) === undefined) await users.add({ ...aUser(), id: order.userId });
        await orders.add(order);
      },
    }),
    users: withMethods(users, {
      find: async (id) => (removed.has(id) ? undefined : users.find(id)),
      remove: async (id) => {
        removed.add(id);
      },
    }),
  }));
};

/** What refers to a removed resource is removed too. */
const cascades = (): Promise<Harness> =>
  wrongRepositories((all) => {
    const removeAll = async (collection: (typeof references)[number]['to'], id: string): Promise<void> => {
      for (const { from, field, to } of references) {
        if (to !== collection) continue;
        const { rows } = await repositoryOf(all, from).page({}, { limit: 1_000 });
        for (const row of rows) if (Reflect.get(row, field) === id) await removeAll(from, row.id);
      }
      await repositoryOf(all, collection).remove(id as never);
    };
    return everyRepository((_, name) => ({ remove: (id) => removeAll(name, id) }))(all);
  });

/** The second live payment is accepted, and kept as a failed one. */
const twoLivePayments = (): Promise<Harness> =>
  wrongRepositories(({ payments }) => ({
    payments: withMethods(payments, {
      add: async (payment) => {
        const others = await payments.findBy('orderId', [payment.orderId]);
        await payments.add(others.length > 0 ? { ...payment, status: 'failed' } : payment);
      },
    }),
  }));

/** A second live payment is kept as a failed one when either of the two has this status. */
const notLiveWhen = (status: PaymentStatus) => (): Promise<Harness> =>
  wrongRepositories(({ payments }) => {
    const kept = async (payment: Payment): Promise<Payment> => {
      const sameOrder = await payments.findBy('orderId', [payment.orderId]);
      const live = sameOrder.filter((other) => other.id !== payment.id && Payment.isLive(other));
      const isAccepted = payment.status === status || live.some((other) => other.status === status);
      return Payment.isLive(payment) && live.length > 0 && isAccepted
        ? { ...payment, status: 'failed' }
        : payment;
    };
    return {
      payments: withMethods(payments, {
        add: async (payment) => payments.add(await kept(payment)),
        addAll: async (all) => payments.addAll(await Promise.all(all.map(kept))),
        save: async (payment) => payments.save(await kept(payment)),
        saveAll: async (all) => payments.saveAll(await Promise.all(all.map(kept))),
      }),
    };
  });

/** A second live payment is kept as a failed one when it comes by one of the ways to write. */
const uncheckedBy = (way: 'add' | 'addAll' | 'save' | 'saveAll') => (): Promise<Harness> =>
  wrongRepositories(({ payments }) => {
    const kept = async (payment: Payment): Promise<Payment> => {
      const others = await payments.findBy('orderId', [payment.orderId]);
      const isSecond = others.some((other) => other.id !== payment.id && Payment.isLive(other));
      return isSecond ? { ...payment, status: 'failed' } : payment;
    };
    const alone = async (payment: Payment) => payments[way as 'add'](await kept(payment));
    const inBulk = async (all: readonly Payment[]) =>
      payments[way as 'addAll'](await Promise.all(all.map(kept)));
    return { payments: withMethods(payments, { [way]: way.endsWith('All') ? inBulk : alone }) };
  });

/** A unit of work that finds a committed payment of the order overlooks the live one that it has added itself. */
const ownPaymentsOverlooked = (): Promise<Harness> =>
  wrongInWork(({ payments }) => {
    const own = new Set<OrderId>();
    return {
      payments: withMethods(payments, {
        add: async (payment) => {
          const others = await payments.findBy('orderId', [payment.orderId]);
          const isOverlooked = own.has(payment.orderId) && others.length > 1;
          await payments.add(isOverlooked ? { ...payment, status: 'failed' } : payment);
          own.add(payment.orderId);
        },
      }),
    };
  });

/** A unit of work compares unique values with what was committed, and not with what it has added itself. */
const uniqueAmongCommitted = (): Promise<Harness> =>
  wrongInWork(({ products }) => {
    const own = new Set<string>();
    return {
      products: withMethods(products, {
        add: async (product) => {
          const isOwn = product.sku !== null && own.has(product.sku);
          await products.add(isOwn ? { ...product, sku: null } : product);
          if (product.sku !== null) own.add(product.sku);
        },
      }),
    };
  });

/** Any second payment is rejected, although the first has failed. */
const onePaymentEver = (): Promise<Harness> =>
  wrongRepositories(({ payments }) => ({
    payments: withMethods(payments, {
      addAll: async (all) => {
        for (const payment of all) {
          const others = await payments.findBy('orderId', [payment.orderId]);
          if (others.length > 0) throw new ConstraintViolation('one payment an order');
          await payments.add(payment);
        }
      },
    }),
  }));

/** The second review of a product is kept, and only the first one names its user and product. */
const severalReviews = (): Promise<Harness> =>
  wrongRepositories(({ reviews }) => ({
    reviews: withMethods(reviews, {
      add: async (review) => {
        const others =
          review.userProduct === null ? [] : await reviews.findBy('userProduct', [review.userProduct]);
        await reviews.add(others.length > 0 ? { ...review, userProduct: null } : review);
      },
    }),
  }));

const isThere = async (right: AnyRepository, id: Parameters<AnyRepository['find']>[0]): Promise<boolean> =>
  (await right.find(id)) !== undefined;

const otherErrors = (translate: (error: unknown) => unknown): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) =>
      right.run(work, context).catch((error: unknown) => {
        throw translate(error);
      }),
  }));

const nothingRefers = (field: string) => `let nothing refer by ${field} to what does not exist`;
const noIdTwice = 'let no id be taken twice, also within one unit of work';
const noRemoval = 'let nothing be removed that orders refer to by userId';
const onePayment = 'let an order have one live payment, and any number that have failed';

/** Adapters that accept what the constraints forbid, or reject it in another way. */
export const wrongConstraints: readonly WrongAdapter[] = [
  ['no references', noReferences, describeConstraints, nothingRefers('orders.userId'), noRemoval],
  ['removals that take along what refers to them', cascades, describeConstraints, noRemoval],
  ['two live payments of one order', twoLivePayments, describeConstraints, onePayment],
  ...paymentStatuses
    .filter((status) => status !== 'failed' && status !== 'canceled')
    .map(
      (status): WrongAdapter => [
        `two live payments of one order, one of them ${status}`,
        notLiveWhen(status),
        describeConstraints,
        onePayment,
      ],
    ),
  ...(['add', 'addAll', 'save', 'saveAll'] as const).map(
    (way): WrongAdapter => [
      `two live payments of one order, the second by ${way}`,
      uncheckedBy(way),
      describeConstraints,
      onePayment,
    ],
  ),
  [
    'two live payments of one order that one unit of work adds beside one that has failed',
    ownPaymentsOverlooked,
    describeConstraints,
    'let an order have one live payment of those that one unit of work writes, beside what has failed',
  ],
  [
    'one SKU of two products that one unit of work adds',
    uniqueAmongCommitted,
    describeConstraints,
    'let no two products that one unit of work adds have the same sku',
  ],
  ['one payment an order, for ever', onePaymentEver, describeConstraints, onePayment],
  [
    'several reviews of one product by one user',
    severalReviews,
    describeCollections,
    'let a user have one review of a product, also of two at once, and another once it is removed',
  ],
  [
    'resources that replace others with the same id',
    () =>
      wrongCollections((right) => ({
        add: async (resource) => {
          if (await isThere(right, resource.id)) await right.remove(resource.id);
          await right.add(resource);
        },
      })),
    describeConstraints,
    noIdTwice,
  ],
  [
    'resources that are ignored when their id is taken',
    () =>
      wrongCollections((right) => ({
        add: async (resource) => {
          if (!(await isThere(right, resource.id))) await right.add(resource);
        },
      })),
    describeConstraints,
    noIdTwice,
  ],
  [
    'resources that are ignored when their SKU is taken',
    () =>
      wrongRepositories(({ products }) => ({
        products: withMethods(products, {
          addAll: async (all) => {
            for (const product of all) {
              const same = product.sku === null ? [] : await products.findBy('sku', [product.sku]);
              if (same.length === 0) await products.add(product);
            }
          },
        }),
      })),
    describeSeveral,
    'are added all or none, and the error names the field',
  ],
  [
    'empty SKUs that are the same',
    () =>
      wrongRepositories(({ products }) => ({
        products: withMethods(products, {
          add: (product) => products.add({ ...product, sku: product.sku ?? '' }),
        }),
      })),
    describeConstraints,
    'let a sku of products be used again once it is free, and several have none',
  ],
  [
    'SKUs that are unique only when they are added',
    () =>
      wrongRepositories(({ products }) => ({
        products: withMethods(products, {
          save: async (product) => {
            const same = product.sku === null ? [] : await products.findBy('sku', [product.sku]);
            const isTaken = same.some(({ id }) => id !== product.id);
            await products.save(isTaken ? { ...product, sku: null } : product);
          },
        }),
      })),
    describeConstraints,
    'let no two products have the same sku, added or changed, alone or in bulk',
  ],
  [
    'SKUs that stay taken when their product is removed',
    () => {
      const taken = new Set<string>();
      return wrongRepositories(({ products }) => ({
        products: withMethods(products, {
          add: async (product) => {
            if (product.sku !== null && taken.has(product.sku)) throw new ConstraintViolation('taken');
            await products.add(product);
          },
          remove: async (id) => {
            const there = await products.find(id);
            if (there?.sku) taken.add(there.sku);
            await products.remove(id);
          },
        }),
      }));
    },
    describeCollections,
    'let what was removed be added again, with the same id and values',
  ],
  [
    'conflicts that name no field',
    () =>
      otherErrors((error) =>
        error instanceof DomainError ? new DomainError(error.kind, error.message) : error,
      ),
    describeConstraints,
    'let no two users have the same email, added or changed, alone or in bulk',
  ],
  [
    'violations that look like an outage',
    () =>
      otherErrors((error) =>
        error instanceof ConstraintViolation ? new UnavailableError('conflict') : error,
      ),
    describeConstraints,
    nothingRefers('orders.userId'),
    noIdTwice,
  ],
  [
    'lasting violations that are retried as races',
    () =>
      wrongly((right) => ({
        run: async (work, context) => {
          for (let run = 1; ; run += 1) {
            try {
              return await right.run(work, context);
            } catch (error) {
              if (!(error instanceof ConstraintViolation) || run === 4) throw error;
            }
          }
        },
      })),
    describeConstraints,
    nothingRefers('orders.userId'),
    noIdTwice,
  ],
];
