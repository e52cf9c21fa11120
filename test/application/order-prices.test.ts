import { expect } from 'chai';
import fc from 'fast-check';
import type { Order } from '#domain/order.ts';
import { OrderPrice } from '#domain/order-price.ts';
import { Quantity } from '#domain/quantity.ts';
import { TaxRate } from '#domain/tax.ts';
import { TaxedItems } from '#domain/taxed-items.ts';
import { taxesOf } from '#domain/taxes.ts';
import { kindOf } from './error-kind.ts';
import { euros } from './fixture.ts';
import { aWorld, type World } from './world.ts';

const amount = fc.oneof(fc.nat(100), fc.nat(100_000));
const rate = fc
  .constantFrom(null, 0, 7, 8.875, 20)
  .map((percent) => (percent === null ? null : TaxRate.of(percent)));
const quantity = fc.integer({ min: 1, max: 5_000 }).map((thousandths) => Quantity.of(thousandths / 1_000));

/** What staff may do with an order. `place` chooses the item. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('add', 'resize', 'remove', 'price'),
    ...{ price: amount, taxRate: rate, quantity, place: fc.nat() },
    ...{ shipping: amount, discount: amount, shippingTaxRate: rate },
  }),
  { minLength: 1, maxLength: 12 },
);

type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

/** Each step is allowed, or is rejected and changes nothing. */
const take = async (world: World, { id }: Order, step: Step): Promise<unknown> => {
  const { orders, orderItems } = world.useCases;
  const order = await world.current('orders', { id });
  const items = await world.itemsOf(order);
  const item = items[step.place % items.length];
  if (item === undefined) throw new Error('An order holds an item.');
  const one = { orderId: id, id: item.id, expectedVersions: undefined };
  switch (step.what) {
    case 'add':
      return world.run(orderItems.add, world.staff, {
        orderId: id,
        productId: (await world.product({ price: euros(step.price), taxRate: step.taxRate })).id,
        quantity: step.quantity,
      });
    case 'resize':
      return world.run(orderItems.change, world.staff, { ...one, quantity: step.quantity });
    case 'remove':
      return world.run(orderItems.remove, world.staff, one);
    default:
      return world.run(orders.change, world.staff, {
        id,
        expectedVersions: undefined,
        details: {
          shipping: euros(step.shipping),
          discount: euros(step.discount),
          shippingTaxRate: step.shippingTaxRate,
        },
      });
  }
};

describe('The price of an order', () => {
  it('is that of its items, shipping and discount after any changes, and never negative', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const world = await aWorld();
        const placed = await world.order(world.ada, await world.product({ price: euros(500) }), 1);
        for (const step of taken) {
          const before = await world.current('orders', placed);
          const rejected = await take(world, placed, step).then(
            () => undefined,
            (error: unknown) => kindOf(Promise.reject(error)),
          );
          const order = await world.current('orders', placed);
          if (rejected !== undefined) {
            expect(await rejected).to.be.oneOf(['invalid-state', 'validation']);
            expect(order).to.deep.equal(before);
          }
          const items = await world.itemsOf(order);
          const itemsTotal = items.reduce((sum, { total }) => sum + total.amount, 0);
          expect(OrderPrice.itemsTotal(order)).to.deep.equal(euros(itemsTotal));
          const total = itemsTotal + order.shipping.amount - order.discount.amount;
          expect(order.total).to.deep.equal(euros(total));
          expect(total).to.be.at.least(0);
          expect(order.taxedItems).to.deep.equal(items.reduce(TaxedItems.plus, TaxedItems.none));
          const parts = { shipping: order.shipping.amount, discount: order.discount.amount, itemsTotal };
          const { shippingTaxRate, taxedItems } = order;
          const taxes = taxesOf({ ...parts, shippingTaxRate, taxedItems });
          expect(taxes.reduce((sum, { gross }) => sum + gross, 0)).to.be.at.most(total);
        }
      }),
      { numRuns: 60 },
    );
  });
});
