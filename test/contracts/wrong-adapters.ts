import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Order } from '#domain/order.ts';
import type { User, UserId } from '#domain/user.ts';
import type { Harness } from './harness.ts';
import { aUser } from './samples.ts';

/** The same object, with some other methods. */
const withMethods = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, {
    get: (_, name) => {
      const method = Reflect.get(name in methods ? methods : target, name);
      return typeof method === 'function' ? method.bind(name in methods ? methods : target) : method;
    },
  });

/** A memory store whose unit of work has some other methods. */
const wrongly = async (wrap: (right: UnitOfWork) => Partial<UnitOfWork>): Promise<Harness> => {
  const store = await openMemory();
  return { ...store, unitOfWork: withMethods(store.unitOfWork, wrap(store.unitOfWork)) };
};

type Wrap = (repositories: Repositories) => Partial<Repositories>;

/** A memory store whose repositories are others, in units of work and in reads. */
const wrongRepositories = (wrap: Wrap): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) => right.run((all) => work({ ...all, ...wrap(all) }), context),
    read: (reading, context) =>
      right.read((all) => reading({ ...all, ...wrap(all as Repositories) }), context),
  }));

/** Dirty reads: a reader finds users that a unit of work has added and not committed. */
export const dirtyReads = (): Promise<Harness> => {
  const pending = new Map<UserId, User>();
  return wrongly((right) => ({
    run: (work, context) =>
      right
        .run(
          (all) =>
            work({
              ...all,
              users: withMethods(all.users, {
                add: async (user) => {
                  await all.users.add(user);
                  pending.set(user.id, user);
                },
              }),
            }),
          context,
        )
        .finally(() => pending.clear()),
    read: (reading, context) =>
      right.read(
        (all) =>
          reading({
            ...all,
            users: withMethods(all.users, { find: async (id) => pending.get(id) ?? all.users.find(id) }),
          }),
        context,
      ),
  }));
};

/** A snapshot from before the wait for a lock: what is only found or listed is as it was when the unit of work was begun. */
export const staleSnapshot = (): Promise<Harness> =>
  wrongly((right) => ({
    run: async (work, context) => {
      const { items, products } = await right.read(async (all) => ({
        items: (await all.orderItems.page({}, { limit: 1_000 })).rows,
        products: (await all.products.page({}, { limit: 1_000 })).rows,
      }));
      const stale: Wrap = (all) => ({
        products: withMethods(all.products, { find: async (id) => products.find((each) => each.id === id) }),
        orderItems: withMethods(all.orderItems, {
          findBy: async (_, values) => items.filter(({ orderId }) => values.includes(orderId)),
        }),
      });
      return right.run((all) => work({ ...all, ...stale(all) }), context);
    },
  }));

/** Makes texts that are the same for a store the same text: the first of them that it has seen. */
const sameText = (same: (text: string) => string) => {
  const first = new Map<string, string>();
  return <T extends string | null>(text: T): T => {
    if (text === null) return text;
    const known = first.get(same(text)) ?? text;
    first.set(same(text), known);
    return known as T;
  };
};

/** Idempotency keys that are compared as their normal forms. */
const keysComparedBy = (normalForm: (key: string) => string): Promise<Harness> => {
  const same = sameText(normalForm);
  return wrongRepositories(({ idempotencyKeys }) => ({
    idempotencyKeys: withMethods(idempotencyKeys, {
      find: (userId, key) => idempotencyKeys.find(userId, same(key)),
      lock: (userId, key) => idempotencyKeys.lock(userId, same(key)),
      remove: (userId, key) => idempotencyKeys.remove(userId, same(key)),
      add: (record) => idempotencyKeys.add({ ...record, key: same(record.key) }),
      save: (record) => idempotencyKeys.save({ ...record, key: same(record.key) }),
    }),
  }));
};

const lowerCase = (text: string): string => text.toLowerCase();

export const keysWithoutCase = (): Promise<Harness> => keysComparedBy(lowerCase);

export const keysCutAt16 = (): Promise<Harness> => keysComparedBy((key) => key.slice(0, 16));

export const skusWithoutCase = (): Promise<Harness> => {
  const same = sameText(lowerCase);
  return wrongRepositories(({ products }) => ({
    products: withMethods(products, {
      add: (product) => products.add({ ...product, sku: same(product.sku) }),
      addAll: (all) => products.addAll(all.map((product) => ({ ...product, sku: same(product.sku) }))),
    }),
  }));
};

/** User e-mail addresses that become others when they are added. */
const addressesAs = (change: (email: string) => string): Promise<Harness> =>
  wrongRepositories(({ users }) => ({
    users: withMethods(users, {
      add: (user) => users.add({ ...user, email: change(user.email) }),
      addAll: (all) => users.addAll(all.map((user) => ({ ...user, email: change(user.email) }))),
    }),
  }));

export const addressesWithoutCase = (): Promise<Harness> => addressesAs(sameText(lowerCase));

export const addressesCutAt64 = (): Promise<Harness> => addressesAs((email) => email.slice(0, 64));

export const responsesCutAt100 = (): Promise<Harness> =>
  wrongRepositories(({ idempotencyKeys }) => ({
    idempotencyKeys: withMethods(idempotencyKeys, {
      save: (record) => idempotencyKeys.save({ ...record, response: record.response?.slice(0, 100) ?? null }),
    }),
  }));

/** No references: an order of an unknown user is added, and a user with orders is removed. */
export const noReferences = (): Promise<Harness> => {
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

/** Two live payments of one order: the second is accepted, and kept as a failed one. */
export const twoLivePayments = (): Promise<Harness> =>
  wrongRepositories(({ payments }) => ({
    payments: withMethods(payments, {
      add: async (payment) => {
        const others = await payments.findBy('orderId', [payment.orderId]);
        await payments.add(others.length > 0 ? { ...payment, status: 'failed' } : payment);
      },
    }),
  }));

/** Adding and saving an idempotency record both write it, whether there is one or not. */
export const keysWrittenAnyway = (): Promise<Harness> =>
  wrongRepositories(({ idempotencyKeys }) => {
    const write: typeof idempotencyKeys.add = async (record) => {
      const there = await idempotencyKeys.find(record.userId, record.key);
      await (there === undefined ? idempotencyKeys.add(record) : idempotencyKeys.save(record));
    };
    return { idempotencyKeys: withMethods(idempotencyKeys, { add: write, save: write }) };
  });

/** A unit of work that ignores its deadline. */
export const noDeadline = (): Promise<Harness> =>
  wrongly((right) => ({ run: (work) => right.run(work), read: (reading) => right.read(reading) }));

/** What a failed unit of work has added is added nevertheless. */
export const halfRollback = (): Promise<Harness> =>
  wrongly((right) => ({
    run: async (work, context) => {
      const added: User[] = [];
      const noting: typeof work = (all) =>
        work({
          ...all,
          users: withMethods(all.users, {
            add: async (user) => {
              await all.users.add(user);
              added.push(user);
            },
          }),
        });
      try {
        return await right.run(noting, context);
      } catch (error) {
        await right.run(({ users }) => users.addAll(added)).catch(() => undefined);
        throw error;
      }
    },
  }));

/** A call that comes after the unit of work has ended takes effect by itself. */
export const lateCalls = (): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) => {
      let hasEnded = false;
      const lasting: typeof work = (all) =>
        work({
          ...all,
          products: withMethods(all.products, {
            add: (product) =>
              hasEnded ? right.run(({ products }) => products.add(product)) : all.products.add(product),
          }),
        });
      return right.run(lasting, context).finally(() => {
        hasEnded = true;
      });
    },
  }));

/** A unit of work that reads what was committed, and not what it has changed itself. */
export const blindToItself = (): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) =>
      right.run(
        (all) =>
          work({
            ...all,
            products: withMethods(all.products, {
              find: (id) => right.read(({ products }) => products.find(id)),
            }),
          }),
        context,
      ),
  }));
