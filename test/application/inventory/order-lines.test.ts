import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import { DomainError } from '#domain/errors.ts';
import type { Order } from '#domain/order.ts';
import type { Product, ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { euros, nowhere, page } from '../fixture.ts';
import { aWorld } from '../world.ts';

/** A product, or the id of none, and how much of it is ordered, as a decimal number. */
type Line = readonly [product: Pick<Product, 'id'>, quantity?: number];

const none = { id: nowhere<ProductId>() };

describe('An order of several items', () => {
  const world = ofEachTest(aWorld);
  let tea: Product;
  let mate: Product;
  beforeEach(async () => {
    tea = await world.product({ name: 'Tea', price: euros(450), stock: 10 });
    mate = await world.product({ name: 'Mate', price: euros(333) });
  });

  const place = (lines: readonly Line[], userId?: Caller['userId']): Promise<Order> => {
    const items = lines.map(([{ id: productId }, quantity = 1]) => ({
      productId,
      quantity: Quantity.of(quantity),
    }));
    return world.run(world.useCases.orders.place, world.ada, { items, ...(userId && { userId }) });
  };

  /** The kind of the error, and the fields that it names. */
  const rejected = (lines: readonly Line[], userId?: Caller['userId']) =>
    place(lines, userId).then(
      () => 'placed',
      (error: unknown) =>
        error instanceof DomainError ? [error.kind, error.fieldErrors.map(({ field }) => field)] : error,
    );

  const ordersOfAda = async () =>
    (await world.read(world.useCases.orders.list, world.ada, { filter: {}, page })).rows;

  it('has them in the order of the request, by ascending id, and the sum of their totals', async () => {
    const order = await place([[mate, 1.5], [tea, 2], [mate]]);
    expect(order).to.deep.include({ total: euros(500 + 900 + 333), itemCount: 3, version: 1 });
    expect(await world.current('orders', order)).to.deep.equal(order);
    const items = await world.itemsOf(order);
    expect(items.map(({ productName, quantity, total }) => [productName, quantity, total])).to.deep.equal([
      ['Mate', Quantity.of(1.5), euros(500)],
      ['Tea', Quantity.of(2), euros(900)],
      ['Mate', Quantity.of(1), euros(333)],
    ]);
    expect(items.map(({ counted }) => counted)).to.deep.equal([false, true, false]);
  });

  it('may be of one item, or of a hundred', async () => {
    expect(await place([[tea]])).to.include({ itemCount: 1 });
    expect(await place(Array.from({ length: 100 }, () => [tea, 0.01] as const))).to.include({
      itemCount: 100,
    });
    expect(await world.stockOf(tea)).to.equal(8);
    expect(await rejected([])).to.deep.equal(['validation', ['items']]);
    expect(await rejected(Array.from({ length: 101 }, () => [tea, 0.01] as const))).to.deep.equal([
      'validation',
      ['items'],
    ]);
  });

  it('reserves the sum of all lines of a product', async () => {
    await place([[tea, 4], [mate], [tea, 6]]);
    expect(await world.stockOf(tea)).to.equal(0);
    expect(await world.current('products', tea)).to.include({ version: tea.version + 1 });
  });

  it('releases the sum when it is canceled', async () => {
    const order = await place([[tea, 4], [mate], [tea, 6]]);
    await world.become(world.ada, order, 'canceled');
    expect(await world.stockOf(tea)).to.equal(10);
  });

  it('names every product that is missing, before it looks at anything else', async () => {
    const draft = await world.product({ status: 'draft' });
    expect(await rejected([[none], [draft], [tea, 11], [none]], world.bob.userId)).to.deep.equal([
      'product-not-found',
      ['items.0.productId', 'items.3.productId'],
    ]);
  });

  it('needs an existing user and ownership, before states are looked at', async () => {
    const draft = await world.product({ status: 'draft' });
    expect(await rejected([[draft], [tea]], nowhere())).to.deep.equal(['not-found', []]);
    expect(await rejected([[draft], [tea]], world.bob.userId)).to.deep.equal(['forbidden', []]);
  });

  it('names every product that is unavailable, before shortages', async () => {
    const draft = await world.product({ status: 'draft', stock: 0 });
    const archived = await world.product({ status: 'archived' });
    expect(await rejected([[tea, 11], [draft], [mate], [archived], [draft]])).to.deep.equal([
      'product-unavailable',
      ['items.1.productId', 'items.3.productId', 'items.4.productId'],
    ]);
  });

  it('names every line with a quantity that is no multiple of the step, after unavailable products and before shortages', async () => {
    const pieces = await world.product({ quantityStep: Quantity.of(1), stock: 2 });
    const draft = await world.product({ status: 'draft' });
    // A sum of 2 helps no line: they are not joined.
    const lines: readonly Line[] = [
      [pieces, 0.5],
      [tea, 11],
      [pieces, 1.5],
      [pieces, 2],
    ];
    expect(await rejected([...lines, [draft]])).to.deep.equal(['product-unavailable', ['items.4.productId']]);
    const fields = ['items.0.quantity', 'items.2.quantity'];
    expect(await rejected(lines)).to.deep.equal(['validation', fields]);
    const error = await place(lines).catch((thrown: DomainError) => thrown);
    expect(error).to.have.deep.property(
      'fieldErrors',
      fields.map((field) => ({ field, message: 'must be a multiple of 1' })),
    );
    expect(
      await rejected([
        [tea, 11],
        [pieces, 2],
      ]),
    ).to.deep.equal(['out-of-stock', ['items.0.productId']]);
    expect([await world.stockOf(pieces), await world.stockOf(tea)]).to.deep.equal([2, 10]);
  });

  it('gives nothing away in many small lines', async () => {
    const jam = await world.product({ price: euros(499) });
    const order = await place(Array.from({ length: 100 }, () => [jam, 0.001] as const));
    expect(order.total).to.deep.equal(euros(100));
    const yen = await world.product({ price: { amount: 4, currency: 'JPY' } });
    const dear = await place(Array.from({ length: 100 }, () => [yen, 0.124] as const));
    expect(dear.total).to.deep.equal({ amount: 100, currency: 'JPY' });
  });

  it('names every line of a product of which too little is left, before currencies', async () => {
    const dollars = await world.product({ price: { amount: 1, currency: 'USD' } });
    const rare = await world.product({ stock: 0.5 });
    expect(await rejected([[tea, 5], [dollars], [rare], [tea, 5.001], [mate]])).to.deep.equal([
      'out-of-stock',
      ['items.0.productId', 'items.2.productId', 'items.3.productId'],
    ]);
  });

  it('names every product in another currency than the first', async () => {
    const dollars = await world.product({ price: { amount: 1, currency: 'USD' }, stock: 5 });
    expect(await rejected([[tea], [dollars], [mate], [dollars]])).to.deep.equal([
      'validation',
      ['items.1.productId', 'items.3.productId'],
    ]);
    expect(await world.stockOf(dollars)).to.equal(5);
  });

  it('names the line whose total, or with which the sum, exceeds the maximum', async () => {
    const dear = await world.product({ price: euros(Number.MAX_SAFE_INTEGER) });
    expect(await rejected([[tea], [dear, 1.001]])).to.deep.equal(['validation', ['items.1.quantity']]);
    expect(await rejected([[mate], [dear], [tea]])).to.deep.equal(['validation', ['items.1.quantity']]);
  });

  it('is placed as a whole or not at all', async () => {
    const [draft, dollars] = [
      await world.product({ status: 'draft' }),
      await world.product({ price: { amount: 1, currency: 'USD' } }),
    ];
    for (const bad of [[none], [draft], [tea, 10], [dollars]] as const)
      expect(await rejected([[tea], [mate], bad])).to.not.equal('placed');
    expect(await world.current('products', tea)).to.deep.equal(tea);
    expect(await ordersOfAda()).to.deep.equal([]);
  });

  it('of one product without a list names no item in its errors', async () => {
    const { place: one } = world.useCases.orders;
    const draft = await world.product({ status: 'draft' });
    for (const [product, quantity] of [
      [none, 1],
      [draft, 1],
      [tea, 11],
    ] as const) {
      const input = { productId: product.id, quantity: Quantity.of(quantity) };
      const error = await world.run(one, world.ada, input).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(DomainError).with.property('fieldErrors').that.deep.equals([]);
    }
    const pieces = await world.product({ quantityStep: Quantity.of(1) });
    const halved = await world.order(world.ada, pieces, 1.5).catch((thrown: DomainError) => thrown);
    expect(halved).to.deep.include({
      fieldErrors: [{ field: 'quantity', message: 'must be a multiple of 1' }],
    });
    const dear = await world.product({ price: euros(Number.MAX_SAFE_INTEGER) });
    const error = await world.order(world.ada, dear, 2).catch((thrown: DomainError) => thrown);
    expect(error).to.have.deep.nested.property('fieldErrors[0].field', 'quantity');
  });
});
