import { expect } from 'chai';
import { expanding } from '#application/expansion/expand.ts';
import { expansionsOf } from '#application/expansion/expansions.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Query, UseCase } from '#application/use-case.ts';
import { DomainError } from '#domain/errors.ts';
import type { Order } from '#domain/order.ts';
import type { Resource } from '#domain/resource.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { page } from '../fixture.ts';
import { aWorld } from '../world.ts';

describe('Expansions', () => {
  const world = ofEachTest(aWorld);

  const one = (result: Resource): readonly Resource[] => [result];
  const names = () => expansionsOf(world.useCases);

  const readBy = async <Input, Result>(useCase: UseCase<Input, Result>, caller: Caller, input: Input) =>
    world.read(useCase as Query<Input, Result>, caller, input);

  const idsIn = (held: unknown): unknown =>
    held !== null && typeof held === 'object' && 'first' in held
      ? (held.first as readonly Resource[]).map(({ id }) => id)
      : ((held as Resource | null)?.id ?? null);

  it('hold what belongs to each order of a page', async () => {
    const product = await world.product();
    const { order, payment } = await world.purchase(product);
    const other = await world.order(world.bob, product);
    const list = expanding(world.useCases.orders.list, names().orders, ({ rows }) => rows);
    const { result, expanded } = await readBy(list, world.staff, { filter: {}, page });
    const held = result.rows.map((each) =>
      Object.fromEntries(Object.entries(expanded(each)).map(([name, value]) => [name, idsIn(value)])),
    );
    const itemsOf = async (of: Order) => (await world.itemsOf(of)).map(({ id }) => id);
    expect(held).to.deep.equal([
      { items: await itemsOf(order), payments: [payment.id], user: world.ada.userId },
      { items: await itemsOf(other), payments: [], user: world.bob.userId },
    ]);
  });

  it('require the permission of each name before anything is read or changed', async () => {
    const product = await world.product();
    const place = expanding(world.useCases.orders.place, { items: names().orders.items }, one);
    const limited: Caller = { ...world.ada, scopes: ['orders:write'] };
    const input = {
      productId: product.id,
      quantity: (await world.firstItem(await world.order(world.ada, product))).quantity,
    };
    expect(() => place(limited, { ...input, details: {} } as never))
      .to.throw(DomainError)
      .with.property('kind', 'forbidden');
  });

  it('hold null for a product that the caller may not see', async () => {
    const product = await world.product();
    const { order } = await world.purchase(product);
    const item = await world.firstItem(order);
    const review = await world.run(world.useCases.reviews.write, world.ada, {
      ...{ itemId: item.id, rating: 5, title: null, body: null },
    });
    const get = expanding(world.useCases.reviews.get, names().reviews, one);
    const productFor = async (caller: Caller) => {
      const { result, expanded } = await readBy(get, caller, review.id);
      const { product: held } = expanded(result);
      return idsIn(held);
    };
    expect(await productFor(world.ada)).to.equal(product.id);
    await world.changeProduct(product, { status: 'draft' });
    expect(await productFor(world.ada)).to.equal(null);
    expect(await productFor(world.staff)).to.equal(product.id);
    await world.removeProduct(product);
    expect(await productFor(world.staff)).to.equal(null);
  });

  it('leave out what a rule of one’s own around a GET rejects', async () => {
    const { payments } = world.useCases;
    const rejecting = (rejected: string): typeof payments.get =>
      Object.assign((...[caller, id]: Parameters<typeof payments.get>): ReturnType<typeof payments.get> => {
        if (id === rejected) throw new DomainError('forbidden', 'Not this one.');
        return payments.get(caller, id);
      }, payments.get);
    const { order, payment } = await world.purchase(await world.product());
    const rules = (rejected: string) =>
      expansionsOf({ ...world.useCases, payments: { ...payments, get: rejecting(rejected) } });
    const paymentsUnder = async (rejected: string) => {
      const { payments: name } = rules(rejected).orders;
      const get = expanding(world.useCases.orders.get, { payments: name }, one);
      const { result, expanded } = await readBy(get, world.ada, order.id);
      const { payments: held } = expanded(result);
      return idsIn(held);
    };
    expect(await paymentsUnder(order.id)).to.deep.equal([payment.id]);
    expect(await paymentsUnder(payment.id)).to.deep.equal([]);
  });

  it('throw what is no rejection', async () => {
    const { order } = await world.purchase(await world.product());
    const { users } = world.useCases;
    const get = Object.assign(() => {
      throw new TypeError('A defect.');
    }, users.get) as unknown as typeof users.get;
    const { user } = expansionsOf({ ...world.useCases, users: { ...users, get } }).orders;
    const expanded = expanding(world.useCases.orders.get, { user }, one);
    const rejection = await readBy(expanded, world.ada, order.id).catch((error) => error);
    expect(rejection).to.be.instanceOf(TypeError);
  });

  it('are not for a process, whose phases commit one by one', () => {
    expect(() => expanding(world.useCases.payments.pay, {}, one)).to.throw(TypeError);
  });
});
