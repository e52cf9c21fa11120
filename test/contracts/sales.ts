import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Dispute, disputeStatuses } from '#domain/dispute.ts';
import { Instant } from '#domain/instant.ts';
import { type Order, orderStatuses } from '#domain/order.ts';
import { type Payment, paymentStatuses } from '#domain/payment.ts';
import { type Refund, refundStatuses } from '#domain/refund.ts';
import type { Resource } from '#domain/resource.ts';
import { Sales, type SalesResources, type SalesSums, type StatusSum } from '#domain/sales.ts';
import { newId } from '../support/machine.ts';
import { mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aPurchase, later, noon } from './samples.ts';

const dayMs = 86_400_000;

/** More than a statement sums where it blocks the process, and than 64 bits hold of the greatest amounts. */
const many = 2_100;

/** Sums of one status and currency as one, in one order. */
const inOrder = (sums: readonly StatusSum<string>[]) =>
  [...Map.groupBy(sums, ({ status, currency }) => `${status} ${currency}`)].sort().map(([key, each]) => ({
    key,
    count: each.reduce((total, { count }) => total + count, 0),
    amount: each.reduce((total, { amount }) => total + amount, 0n),
  }));

const comparable = ({ orders, refunds, payments, disputes }: SalesSums) => ({
  orders: inOrder(orders),
  refunds: inOrder(refunds),
  payments: inOrder(payments),
  disputes: inOrder(disputes),
});

const nothing = { orders: [], refunds: [], payments: [], disputes: [] };

/** What `SalesReader` promises. */
export const describeSales: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: sums of orders and their money`, () => {
    const { it, beforeEach } = runner;
    const store = storeFor(open, runner);
    /** The begin of a period of which no other test has any. */
    let start = noon;
    beforeEach(async () => {
      start = Instant.plus(start, 100 * dayMs);
    });
    const after = (milliseconds: number): Instant => Instant.plus(start, milliseconds);
    const { user, product, order: anOrder, payment: aPayment, ...its } = aPurchase();

    const orderOf = (createdAt: Instant, details: Partial<Order> = {}): Order => ({
      ...{ ...anOrder, id: newId(), number: newId(), createdAt },
      ...details,
    });
    const refundOf = (createdAt: Instant, details: Partial<Refund> = {}): Refund => ({
      ...{ ...its.refund, id: newId(), createdAt },
      ...details,
    });
    /** One that has failed takes no place of another of its order. */
    const paymentOf = (createdAt: Instant, details: Partial<Payment> = {}): Payment => ({
      ...{ ...aPayment, id: newId(), createdAt, status: 'failed' },
      ...details,
    });
    const disputeOf = (createdAt: Instant, details: Partial<Dispute> = {}): Dispute => ({
      ...{ ...its.dispute, id: newId(), createdAt, providerReference: newId() },
      ...details,
    });

    const add = (added: Partial<SalesResources>): Promise<void> =>
      store.unitOfWork.run(async (all) => {
        if ((await all.users.find(user.id)) === undefined) {
          await all.users.add(user);
          await all.products.add(product);
          await all.orders.add({ ...anOrder, createdAt: later(-400 * dayMs) });
          await all.payments.add({ ...aPayment, createdAt: later(-400 * dayMs) });
        }
        await all.orders.addAll(added.orders ?? []);
        await all.payments.addAll(added.payments ?? []);
        await all.refunds.addAll(added.refunds ?? []);
        await all.disputes.addAll(added.disputes ?? []);
      });

    const sum = async (from: Instant, until: Instant) =>
      comparable(await store.unitOfWork.read(({ sales }) => sales.sum({ from, until })));

    const eur = (amount: number) => ({ amount, currency: 'EUR' });

    it('are of what was created in a period, by status and currency, whatever the period', async () => {
      const currency = fc.constantFrom('EUR', 'JPY', 'KWD');
      const amount = fc.oneof(fc.nat({ max: 10_000 }), fc.maxSafeNat());
      const money = fc.record({ amount, currency });
      const time = fc.oneof(
        fc.constantFrom(0, 1, dayMs - 1, dayMs, dayMs + 1, 2 * dayMs - 1, 2 * dayMs),
        fc.integer({ min: -dayMs, max: 3 * dayMs }),
      );
      const created = <Status>(statuses: readonly Status[], maxLength: number) =>
        fc.array(fc.record({ time, money, status: fc.constantFrom(...statuses) }), { maxLength });
      const payment = fc.record({
        time,
        money,
        status: fc.constantFrom(...paymentStatuses),
        part: fc.nat(100),
      });
      const property = fc.asyncProperty(
        created(orderStatuses, 30),
        created(refundStatuses, 10),
        fc.array(payment, { maxLength: 10 }),
        created(disputeStatuses, 10),
        async (placed, returned, taken, objected) => {
          start = after(10 * dayMs);
          const orders = placed.map((each) =>
            orderOf(after(each.time), { status: each.status, total: each.money }),
          );
          // Of each order one payment at most is alive, so each has its own.
          const itsOrders = taken.map(() => orderOf(after(-5 * dayMs)));
          const all: SalesResources = {
            orders,
            refunds: returned.map((each) =>
              refundOf(after(each.time), { status: each.status, amount: each.money }),
            ),
            payments: taken.map((each, index) => {
              const released = { ...each.money, amount: Math.min(each.part, each.money.amount) };
              const orderId = itsOrders[index]?.id ?? anOrder.id;
              const { status, money: amount } = each;
              return paymentOf(after(each.time), { orderId, status, amount, released });
            }),
            disputes: objected.map((each) =>
              disputeOf(after(each.time), { status: each.status, amount: each.money }),
            ),
          };
          await add({ ...all, orders: [...orders, ...itsOrders] });
          for (const day of [-1, 0, 1, 2]) {
            const [from, until] = [after(day * dayMs), after((day + 1) * dayMs)];
            const isIn = ({ createdAt }: Resource) => createdAt >= from && createdAt < until;
            const expected = Sales.sumsOf({
              orders: all.orders.filter(isIn),
              refunds: all.refunds.filter(isIn),
              payments: all.payments.filter(isIn),
              disputes: all.disputes.filter(isIn),
            });
            expect(await sum(from, until)).to.deep.equal(comparable(expected));
          }
        },
      );
      // At the end and at the beginning of a day, in a currency that is not the first, canceled, and returned.
      const atEnd = { time: dayMs, money: { amount: 7, currency: 'JPY' as const } };
      const atBegin = { time: 0, money: { amount: 5, currency: 'JPY' as const } };
      await assertRandomly(property, 20, [
        [
          [atEnd, atBegin].map((each) => ({ ...each, status: 'canceled' as const })),
          [atEnd, atBegin].map((each) => ({ ...each, status: 'succeeded' as const })),
          [atEnd, atBegin].map((each) => ({ ...each, status: 'succeeded' as const, part: 2 })),
          [atEnd, atBegin].map((each) => ({ ...each, status: 'lost' as const })),
        ],
      ]);
    });

    it('include what was created when the period begins, and exclude what was created when it ends', async () => {
      const times = [-1, 0, dayMs - 1, dayMs];
      await add({
        orders: times.map((time, index) => orderOf(after(time), { total: eur(10 ** index) })),
        refunds: times.map((time, index) => refundOf(after(time), { amount: eur(10 ** index) })),
        payments: times.map((time, index) => paymentOf(after(time), { amount: eur(10 ** index) })),
        disputes: times.map((time, index) => disputeOf(after(time), { amount: eur(10 ** index) })),
      });
      const sums = { count: 2, amount: 110n };
      expect(await sum(start, after(dayMs))).to.deep.equal({
        orders: [{ key: 'paid EUR', ...sums }],
        refunds: [{ key: 'pending EUR', ...sums }],
        payments: [{ key: 'failed EUR', ...sums }],
        disputes: [{ key: 'needs_response EUR', ...sums }],
      });
    });

    it('are exact beyond 64 bits, of thousands that were created at once or one after the other', async () => {
      const total = eur(Number.MAX_SAFE_INTEGER);
      const atOnce = Array.from({ length: many }, () => orderOf(start, { total }));
      const inTurn = Array.from({ length: many }, (_, index) => orderOf(after(index), { total }));
      await add({ orders: atOnce });
      await add({ orders: inTurn });
      const amount = total;
      const inParts = Array.from({ length: many }, (_, index) => after(index % 2 === 0 ? 0 : index));
      await add({
        payments: inParts.map((at) => paymentOf(at, { amount })),
        refunds: inParts.map((at) => refundOf(at, { amount })),
      });
      const { orders, payments, refunds } = await sum(start, after(dayMs));
      const exact = (count: number) => ({ count, amount: BigInt(count) * BigInt(Number.MAX_SAFE_INTEGER) });
      expect(orders).to.deep.equal([{ key: 'paid EUR', ...exact(2 * many) }]);
      expect(payments).to.deep.equal([{ key: 'failed EUR', ...exact(many) }]);
      expect(refunds).to.deep.equal([{ key: 'pending EUR', ...exact(many) }]);
    }, 60_000);

    it('follow a change of the status, but not of the time of creation', async () => {
      const order = orderOf(start, { total: eur(5) });
      await add({ orders: [order] });
      const status = 'refunded';
      await store.unitOfWork.run(({ orders }) =>
        orders.save({ ...order, status, version: order.version + 1, updatedAt: after(dayMs) }),
      );
      expect((await sum(start, after(dayMs))).orders).to.deep.equal([
        { key: 'refunded EUR', count: 1, amount: 5n },
      ]);
      expect((await sum(after(dayMs), after(2 * dayMs))).orders).to.deep.equal([]);
    });

    it('see the changes of their own unit of work, and none that is rolled back', async () => {
      await add({});
      const failure = new Error('It ends here.');
      const rejection = await rejectionOf(
        store.unitOfWork.run(async ({ orders, sales }) => {
          await orders.add(orderOf(start, { total: eur(7) }));
          const found = comparable(await sales.sum({ from: start, until: after(1) }));
          expect(found.orders).to.deep.equal([{ key: 'paid EUR', count: 1, amount: 7n }]);
          throw failure;
        }),
      );
      expect(rejection).to.equal(failure);
      expect(await sum(start, after(1))).to.deep.equal(nothing);
    });

    it('may be of any years from 0 to 9999', async () => {
      const [first, last] = [Instant.at(Date.parse('0000-01-01T00:00:00Z')), Instant.latest];
      const count = async () =>
        (await sum(first, last)).orders.reduce((total, { count: each }) => total + each, 0);
      await add({});
      const before = await count();
      await add({ orders: [orderOf(start)] });
      expect(await count()).to.equal(before + 1);
      expect(await sum(first, Instant.plus(first, dayMs))).to.deep.equal(nothing);
    });

    it('let the process do other work between two calls', async () => {
      let turns = 0;
      let hasEnded = false;
      const turn = (): void => {
        turns += 1;
        if (!hasEnded) setImmediate(turn);
      };
      setImmediate(turn);
      const calls = 20;
      await store.unitOfWork.read(async ({ sales }) => {
        for (let call = 0; call < calls; call += 1) await sales.sum({ from: start, until: after(dayMs) });
      });
      hasEnded = true;
      expect(turns).to.be.at.least(calls);
    });
  });
