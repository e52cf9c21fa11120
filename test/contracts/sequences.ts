import { expect } from 'chai';
import * as fc from 'fast-check';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { ApplicationError, ConstraintViolation } from '#application/errors.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { DomainError } from '#domain/errors.ts';
import { paymentStatuses } from '#domain/payment.ts';
import { Product } from '#domain/product.ts';
import { User } from '#domain/user.ts';
import { newId } from '../support/machine.ts';
import { existing, mocha, type Suite, storeFor } from './harness.ts';
import { aProduct, aPurchase, aRecord, aUser, later, noon } from './samples.ts';

const count = 3;

/** The resources that one sequence adds, changes and removes. */
const makeWorld = () => {
  const several = <T>(make: () => T): readonly T[] => Array.from({ length: count }, make);
  return {
    users: several(() => aUser()),
    products: several(() => aProduct()),
    purchases: several(() => aPurchase()),
    skus: several(() => newId() as string),
    addresses: several(() => `${newId()}@example.com`),
    records: several(() => aRecord()),
    lease: newId(),
  };
};

type World = ReturnType<typeof makeWorld>;

const at = <T>(all: readonly T[], index: number): T => existing(all[index]);

/** What work does with one resource and a second choice. What it returns is compared with the model. */
const operations = {
  addUser: ({ users }, world, one) => users.add(at(world.users, one)),
  removeUser: ({ users }, world, one) => users.remove(at(world.users, one).id),
  findUser: ({ users }, world, one) => users.find(at(world.users, one).id),
  changeUser: async ({ users }, world, one, other) => {
    const user = await users.lock(at(world.users, one).id);
    if (user) await users.save(User.change(user, { email: at(world.addresses, other) }, later(1)));
  },
  findUsers: ({ users }, world) => users.findBy('email', world.addresses),

  addProduct: ({ products }, world, one, other) =>
    products.add({ ...at(world.products, one), sku: at(world.skus, other) }),
  addProducts: ({ products }, world) => products.addAll(world.products),
  removeProduct: ({ products }, world, one) => products.remove(at(world.products, one).id),
  changeProduct: async ({ products }, world, one, other) => {
    const product = await products.find(at(world.products, one).id);
    if (product) await products.save(Product.change(product, { sku: at(world.skus, other) }, later(1)));
  },
  changeProducts: async ({ products }, world) => {
    const all = await products.lockBy('sku', world.skus);
    await products.saveAll(all.map((product) => Product.change(product, { sku: null }, later(2))));
  },
  /** Seldom, because the store tries it several times. */
  saveStale: async ({ products }, world, one, other) => {
    if (one + other === 0) await products.save({ ...at(world.products, one), version: 9 });
  },
  pageProducts: ({ products }, world, one) => products.page({ sku: at(world.skus, one) }, { limit: 1 }),
  findProducts: ({ products }, world) => products.findBy('sku', world.skus),

  addOrder: ({ orders }, world, one, other) =>
    orders.add({ ...at(world.purchases, one).order, userId: at(world.users, other).id }),
  removeOrder: ({ orders }, world, one) => orders.remove(at(world.purchases, one).order.id),
  pageOrders: ({ orders }, world, one, other) =>
    orders.page(
      { userId: at(world.users, one).id },
      { limit: 2, after: at(world.purchases, other).order.id },
    ),

  addPayment: ({ payments }, world, one, other) =>
    payments.add({ ...at(world.purchases, one).payment, orderId: at(world.purchases, other).order.id }),
  changePayment: async ({ payments }, world, one, other) => {
    const payment = await payments.lock(at(world.purchases, one).payment.id);
    const status = at(paymentStatuses, other);
    if (payment) await payments.save({ ...payment, status, version: payment.version + 1 });
  },
  removePayment: ({ payments }, world, one) => payments.remove(at(world.purchases, one).payment.id),
  findPayments: ({ payments }, world) =>
    payments.findBy(
      'orderId',
      world.purchases.map(({ order }) => order.id),
    ),

  addKey: ({ idempotencyKeys }, world, one) => idempotencyKeys.add(at(world.records, one)),
  saveKey: async ({ idempotencyKeys }, world, one, other) => {
    const record = await idempotencyKeys.lock(at(world.records, one).userId, at(world.records, one).key);
    if (record) await idempotencyKeys.save({ ...record, response: `${other}` });
  },
  removeKey: ({ idempotencyKeys }, world, one) =>
    idempotencyKeys.remove(at(world.records, one).userId, at(world.records, one).key),
  lockKey: ({ idempotencyKeys }, world, one) =>
    idempotencyKeys.lock(at(world.records, one).userId, at(world.records, one).key),
  acquireLease: ({ leases }, world, one, other) =>
    leases.acquire({ name: world.lease, holder: `${one}`, expiresAt: later(other) }, noon),
} satisfies Readonly<
  Record<string, (all: Repositories, world: World, one: number, other: number) => Promise<unknown>>
>;

const names = Object.keys(operations) as (keyof typeof operations)[];

const operation = fc.record({
  name: fc.constantFrom(...names),
  one: fc.nat(count - 1),
  other: fc.nat(count - 1),
});

const unit = fc.record({
  operations: fc.array(operation, { minLength: 1, maxLength: 8 }),
  /** Whether it changes its mind at the end, as one of five does. */
  fails: fc.nat(4).map((number) => number === 0),
});

/** So that most units of work find something to change. */
const beginning: Unit = {
  fails: false,
  operations: [0, 1].flatMap((one) =>
    (['addUser', 'addProduct', 'addOrder', 'addPayment', 'addKey'] as const).map((name) => ({
      ...{ name, one, other: one },
    })),
  ),
};

type Unit = typeof unit extends fc.Arbitrary<infer T> ? T : never;

const expectedErrors = [ConstraintViolation, DomainError, ApplicationError, RangeError];

/**
 * @returns what the unit of work has read when it commits. Of several errors a store may throw any, and it may find a violation
 *   only at the end, so a rejection says no more than that.
 */
const outcomeOf = async (unitOfWork: UnitOfWork, world: World, { operations: all, fails }: Unit) => {
  try {
    return await unitOfWork.run(async (repositories) => {
      const seen: unknown[] = [];
      for (const { name, one, other } of all) {
        seen.push(await operations[name](repositories, world, one, other));
      }
      if (fails) throw new RangeError('changed my mind');
      return seen;
    });
  } catch (error) {
    if (expectedErrors.some((kind) => error instanceof kind)) return 'rejected';
    throw error;
  }
};

/** Every read of every resource of the world. */
const stateOf = (unitOfWork: UnitOfWork, world: World) =>
  unitOfWork.read(async (all) => ({
    users: await Promise.all(world.users.map(({ id }) => all.users.find(id))),
    products: await Promise.all(world.products.map(({ id }) => all.products.find(id))),
    orders: await Promise.all(world.purchases.map(({ order }) => all.orders.find(order.id))),
    payments: await Promise.all(world.purchases.map(({ payment }) => all.payments.find(payment.id))),
    keys: await Promise.all(world.records.map(({ userId, key }) => all.idempotencyKeys.find(userId, key))),
  }));

/** Whatever a sequence of units of work does, it does over every store what it does over the reference. */
export const describeSequences: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: sequences of units of work`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    it('read, reject and leave behind what the reference does', async () => {
      const { unitOfWork: model } = await openMemory();
      await fc.assert(
        fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 8 }), async (units) => {
          const world = makeWorld();
          for (const each of [beginning, ...units]) {
            const outcomes = [model, store.unitOfWork].map((unitOfWork) =>
              outcomeOf(unitOfWork, world, each),
            );
            const [expected, outcome] = await Promise.all(outcomes);
            expect(outcome).to.deep.equal(expected);
          }
          expect(await stateOf(store.unitOfWork, world)).to.deep.equal(await stateOf(model, world));
        }),
        { numRuns: 40 },
      );
    });
  });
