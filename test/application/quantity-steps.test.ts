import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { aWorld } from './world.ts';

describe('An ordered quantity is a multiple of the step of its product', () => {
  const world = ofEachTest(aWorld);

  const stepped = (step: number | null, stock: number | null = null): Promise<Product> =>
    world.product({ quantityStep: step === null ? null : Quantity.of(step), stock });

  const setStep = (product: Product, step: number | null): Promise<Product> =>
    world.changeProduct(product, { quantityStep: step === null ? null : Quantity.of(step) });

  const resize = (caller: Caller, { orderId, id }: OrderItem, quantity: number): Promise<OrderItem> =>
    world.run(world.useCases.orderItems.change, caller, {
      ...{ orderId, id, expectedVersions: undefined, quantity: Quantity.of(quantity) },
    });

  const outcome = (sent: Promise<OrderItem>): Promise<unknown> =>
    sent.then(
      ({ quantity }) => Quantity.toNumber(quantity),
      () => invalidFieldsOf(sent),
    );

  const refused = ['quantity'];

  const rows: readonly (readonly [step: number | null, quantity: number, expected: unknown])[] = [
    [1, 2, 2],
    [1, 1.5, refused],
    [1, 0.001, refused],
    [0.25, 0.75, 0.75],
    [0.25, 0.3, refused],
    [0.1, 0.3, 0.3],
    [null, 0.001, 0.001],
  ];
  for (const [step, quantity, expected] of rows)
    for (const role of ['ada', 'staff'] as const)
      it(`a step of ${step} ${expected === refused ? 'rejects' : 'accepts'} ${quantity} of ${role}`, async () => {
        const product = await stepped(step, 10);
        const basket = await world.order(world.ada, await world.product());
        expect(await outcome(world.addItem(world[role], basket, product, quantity))).to.deep.equal(expected);
        const placing = world.order(world[role], product, quantity).then(world.firstItem);
        expect(await outcome(placing)).to.deep.equal(expected);
      });

  it('is checked after the product is found to be available, and before its stock is', async () => {
    const basket = await world.order(world.ada, await world.product());
    const pieces = await stepped(1, 1);
    expect(await kindOf(world.addItem(world.ada, basket, pieces, 1.5))).to.equal('validation');
    expect(await kindOf(world.addItem(world.ada, basket, pieces, 2))).to.equal('out-of-stock');
    await world.changeProduct(pieces, { status: 'draft' });
    expect(await kindOf(world.addItem(world.ada, basket, pieces, 1.5))).to.equal('product-unavailable');
    await world.removeProduct(pieces);
    expect(await kindOf(world.addItem(world.ada, basket, pieces, 1.5))).to.equal('product-not-found');
  });

  for (const stock of [null, 10])
    describe(`when an item changes whose stock is ${stock === null ? 'not counted' : 'counted'}`, () => {
      let product: Product;
      let order: Order;
      let item: OrderItem;
      beforeEach(async () => {
        product = await stepped(null, stock);
        order = await world.order(world.ada, product, 1.5);
        item = await world.firstItem(order);
        await setStep(product, 1);
      });

      it('keeps the quantity that it has, and takes multiples only', async () => {
        expect(await resize(world.ada, item, 1.5)).to.deep.equal(item);
        for (const caller of [world.ada, world.staff])
          for (const quantity of [2.5, 0.5])
            expect(await outcome(resize(caller, item, quantity))).to.deep.equal(refused);
        expect(await world.current('orderItems', item)).to.deep.equal(item);
        if (stock !== null) expect(await world.stockOf(product)).to.equal(8.5);
        expect(await outcome(resize(world.ada, item, 1))).to.equal(1);
        expect(await outcome(resize(world.ada, item, 3))).to.equal(3);
        if (stock !== null) expect(await world.stockOf(product)).to.equal(7);
      });

      it('reserves what is missing for a multiple, although that is none', async () => {
        expect(await outcome(resize(world.ada, item, 2))).to.equal(2);
        if (stock !== null) expect(await world.stockOf(product)).to.equal(8);
      });

      it('can become smaller without the step once the product was deleted, and can be removed', async () => {
        await world.addItem(world.ada, order, await world.product());
        await world.removeProduct(product);
        expect(await outcome(resize(world.ada, item, 0.7))).to.equal(0.7);
        const place = { orderId: order.id, id: item.id, expectedVersions: undefined };
        await world.run(world.useCases.orderItems.remove, world.ada, place);
      });

      it('names an unavailable product first when it grows, and only the quantity when it shrinks', async () => {
        await world.changeProduct(product, { status: 'archived' });
        expect(await kindOf(resize(world.ada, item, 2.5))).to.equal('product-unavailable');
        expect(await outcome(resize(world.ada, item, 0.5))).to.deep.equal(refused);
        expect(await outcome(resize(world.ada, item, 1))).to.equal(1);
      });
    });

  it('binds neither stock, nor changes of stock, nor what is given back', async () => {
    const product = await stepped(1, 10.5);
    const change = { productId: product.id, change: Quantity.of(-0.25), reason: null };
    await world.run(world.useCases.stockChanges.create, world.staff, change);
    expect(await world.stockOf(product)).to.equal(10.25);
    const order = await world.order(world.ada, await stepped(0.5, 10), 1.5);
    await world.become(world.ada, order, 'canceled');
    expect(await world.changeProduct(product, { stock: 0.001 })).to.include({ stock: 1 });
  });
});
