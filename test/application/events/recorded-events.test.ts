import { expect } from 'chai';
import { declarations } from '#application/events/declarations.ts';
import { collectionNames } from '#application/ports/repositories.ts';
import type { Caller } from '#application/preconditions.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import type { Event } from '#domain/event.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Resource } from '#domain/resource.ts';
import type { User } from '#domain/user.ts';

type Shop = Awaited<ReturnType<typeof testShop>>;

const expectedVersions = undefined;

describe('Events', () => {
  let shop: Shop;
  let seen = 0;

  /** The events since the last read. */
  const news = async (): Promise<readonly Event[]> => {
    const { rows } = await shop.unitOfWork.read(({ events }) => events.page({}, { after: seen, limit: 100 }));
    seen = rows.at(-1)?.sequence ?? seen;
    return rows;
  };

  const newTypes = async (): Promise<readonly string[]> => (await news()).map(({ type }) => type);

  /** The only event of a type since the last read. */
  const only = async (type: Event['type']): Promise<Event> => {
    const found = (await news()).filter((event) => event.type === type);
    expect(found, type).to.have.lengthOf(1);
    return found[0] as Event;
  };

  beforeEach(async () => {
    seen = 0;
    shop = await testShop();
    await news();
  });

  it('are declared for every collection, or it is said why there are none', () => {
    const told = collectionNames.filter((name) => !('none' in declarations[name]));
    expect(told).to.have.members([
      'products',
      'users',
      'orders',
      'reviews',
      'payments',
      'refunds',
      'disputes',
      'apiKeys',
      'stockChanges',
      'webhookEndpoints',
    ]);
  });

  it('tell of a product, with the names of its changed fields', async () => {
    const product = await shop.newProduct();
    const created = await only('product.created');
    expect(created).to.deep.include({
      ...{ sequence: 4, orderId: null, changed: [], data: product, timestamp: product.updatedAt },
      subject: { type: 'product', id: product.id, version: 1 },
    });
    const { id } = product;
    const changes = { name: 'Green tea', price: { amount: 500 } };
    await shop.run(shop.useCases.products.change, shop.staff, { id, expectedVersions, changes });
    expect((await only('product.updated')).changed).to.deep.equal(['name', 'price', 'version']);
    await shop.run(shop.useCases.products.remove, shop.staff, { id, expectedVersions });
    const deleted = await only('product.deleted');
    expect(deleted).to.deep.include({ subject: { type: 'product', id, version: 3 }, changed: [] });
    expect(deleted.data).to.deep.include({ name: 'Green tea', version: 2 });
  });

  it('name no field whose value has only other names first', async () => {
    const { id } = await shop.newProduct({ metadata: { colour: 'green', size: 'small' } });
    await news();
    const metadata = { size: 'small', colour: 'green' };
    const changes = { name: 'Green tea', metadata };
    await shop.run(shop.useCases.products.change, shop.staff, { id, expectedVersions, changes });
    expect((await only('product.updated')).changed).to.deep.equal(['name', 'version']);
  });

  it('tell of stock that orders take and give back only when it reaches or leaves 0', async () => {
    const product = await shop.newProduct({ stock: 3 });
    await news();
    const first = await shop.placeOrder(shop.customer, product, 1);
    expect(await newTypes()).to.deep.equal(['order.created']);
    await shop.placeOrder(shop.customer, product, 2);
    expect(await newTypes()).to.deep.equal(['product.out_of_stock', 'order.created']);
    await shop.run(shop.useCases.orders.change, shop.customer, {
      ...{ id: first.id, expectedVersions, status: 'canceled' },
    });
    expect(await newTypes()).to.deep.equal(['order.canceled', 'product.back_in_stock']);
    const changes = { stock: Quantity.of(0) };
    await shop.run(shop.useCases.products.change, shop.staff, { id: product.id, expectedVersions, changes });
    expect(await newTypes(), 'a write by staff').to.deep.equal(['product.updated']);
  });

  it('tell of an order with its items', async () => {
    const product = await shop.newProduct();
    await news();
    const order = await shop.placeOrder(shop.customer, product, 2);
    const created = await only('order.created');
    expect(created.orderId).to.equal(order.id);
    expect(itemsIn(created)).to.deep.equal([2]);
    const added = { orderId: order.id, productId: product.id, quantity: Quantity.of(3) };
    const item = await shop.run(shop.useCases.orderItems.add, shop.customer, added);
    const updated = await only('order.updated');
    expect(itemsIn(updated)).to.deep.equal([2, 3]);
    expect(updated.changed).to.include.members(['items', 'item_count', 'total']);
    const one = { orderId: order.id, id: item.id, expectedVersions };
    await shop.run(shop.useCases.orderItems.change, shop.customer, { ...one, quantity: Quantity.of(4) });
    expect(itemsIn(await only('order.updated'))).to.deep.equal([2, 4]);
    const removed = { orderId: order.id, id: item.id, expectedVersions };
    await shop.run(shop.useCases.orderItems.remove, shop.customer, removed);
    expect(itemsIn(await only('order.updated'))).to.deep.equal([2]);
    await shop.run(shop.useCases.orders.change, shop.customer, {
      ...{ id: order.id, expectedVersions, details: { note: 'Ring twice.' } },
    });
    const noted = await only('order.updated');
    expect(noted.changed).to.deep.equal(['note', 'version']);
    expect(noted.data).not.to.have.property('items');
  });

  it('of an order have its items when it is new and when these have changed, and else not', async () => {
    const product = await shop.newProduct();
    const [paid, unpaid] = [
      await shop.placeOrder(shop.customer, product),
      await shop.placeOrder(shop.customer, product),
    ];
    await shop.pay(shop.customer, paid, 'tok_declined').catch(() => undefined);
    const payment = await shop.pay(shop.customer, paid);
    await shop.run(shop.useCases.refunds.create, shop.staff, { paymentId: payment.id, reason: null });
    await shop.run(shop.useCases.orders.change, shop.customer, {
      ...{ id: unpaid.id, expectedVersions, status: 'canceled' },
    });
    const told = (await news()).filter(({ subject }) => subject.type === 'order');
    expect(told.map(({ type, data }) => [type, 'items' in data])).to.deep.equal([
      ...[1, 2].map(() => ['order.created', true]),
      ...['order.updated', 'order.paid', 'order.refunded', 'order.canceled'].map((type) => [type, false]),
    ]);
    expect(told.flatMap(({ changed }) => changed)).not.to.include('items');
  });

  it('tell of the end of a payment and of its refunds, and not of its begin', async () => {
    const order = await shop.placeOrder(shop.customer, await shop.newProduct());
    await news();
    const payment = await shop.pay(shop.customer, order);
    const events = await news();
    expect(events.map(({ type }) => type)).to.have.members(['payment.succeeded', 'order.paid']);
    expect(events.every(({ orderId }) => orderId === order.id)).to.equal(true);
    const refund = { paymentId: payment.id, amount: { amount: 100, currency: 'EUR' }, reason: null };
    await shop.run(shop.useCases.refunds.create, shop.staff, refund);
    const ofRefund = await news();
    expect(ofRefund.map(({ type }) => type)).to.have.members([
      'payment.updated',
      'refund.pending',
      'payment.updated',
      'refund.succeeded',
    ]);
    expect(ofRefund.every(({ orderId }) => orderId === order.id)).to.equal(true);
    await shop.run(shop.useCases.refunds.create, shop.staff, { paymentId: payment.id, reason: null });
    expect(await newTypes()).to.include.members(['payment.refunded', 'order.refunded', 'refund.succeeded']);
  });

  it('let a declined payment fail, and tell that its order can be paid again', async () => {
    const order = await shop.placeOrder(shop.customer, await shop.newProduct());
    await news();
    await shop.pay(shop.customer, order, 'tok_declined').catch(() => undefined);
    expect(await newTypes()).to.have.members(['payment.failed', 'order.updated']);
  });

  it('never hold a secret, and do not tell of the use of a key', async () => {
    await shop.run(shop.useCases.apiKeys.issue, shop.customer, { name: 'Laptop' });
    const { data } = await only('api_key.created');
    expect(data).to.include({ name: 'Laptop' });
    expect(JSON.stringify(data)).not.to.match(/hash/i);
  });

  it('do not tell of the use of a key that was used in the same millisecond', async () => {
    const { issue } = shop.useCases.apiKeys;
    const { key } = await shop.run(issue, shop.customer, { name: 'Laptop' });
    const holder = { ...shop.customer, keyId: key.id, isStoredKey: true };
    await news();
    for (const name of ['First', 'Second']) await shop.run(issue, holder, { name });
    expect(await newTypes()).to.deep.equal(['api_key.created', 'api_key.created']);
  });

  it('are appended exactly when the change commits', async () => {
    const product = await shop.newProduct();
    await news();
    const work = shop.unitOfWork.run(async ({ products }) => {
      await products.save({ ...product, name: 'Lost', version: 2 });
      throw new Error('It is rolled back.');
    });
    await work.catch(() => undefined);
    expect(await newTypes()).to.deep.equal([]);
  });

  it('name their cause: a request with its key, or the housekeeping', async () => {
    const { userId: actor, role } = shop.staff;
    const request = { userId: actor, role, key: 'key-1', fingerprint: 'x' };
    const work = shop.useCases.products.create(shop.staff, productDetails);
    await shop.idempotency.command(request, work, () => '', { actor, requestId: 'req-1' });
    const { cause } = await only('product.created');
    expect(cause).to.deep.equal({
      kind: 'request',
      requestId: 'req-1',
      userId: actor,
      idempotencyKey: 'key-1',
    });

    await shop.placeOrder(shop.customer, await shop.newProduct());
    shop.advance(25 * 60 * 60_000);
    await news();
    await shop.backgroundJobs.expireOrders();
    const { cause: ofJob } = await only('order.canceled');
    expect(ofJob).to.deep.equal({
      kind: 'housekeeping',
      requestId: null,
      userId: null,
      idempotencyKey: null,
    });
  });

  it('keep no personal data of a user who is erased, and name the same fields as before', async () => {
    const { userId } = shop.customer;
    await shop.run(shop.useCases.apiKeys.issue, shop.customer, { name: 'Of Ada Lovelace' });
    const order = await shop.placeOrder(shop.customer, await shop.newProduct());
    const details = { note: 'Ring at Ada Lovelace.' };
    await shop.run(shop.useCases.orders.change, shop.customer, { id: order.id, expectedVersions, details });
    const all = async () =>
      (await shop.unitOfWork.read(({ events }) => events.page({}, { after: 0, limit: 100 }))).rows;
    const user = await shop.unitOfWork.read(({ users }) => users.find(userId));
    const before = await all();
    expect(JSON.stringify(before)).to.include('Ada Lovelace').and.to.include(user?.email);
    await shop.run(shop.useCases.erasures.begin, shop.admin, userId);
    for (let round = 0; round < 3; round += 1) {
      await shop.backgroundJobs.eraseUsers();
      shop.advance(60_000);
    }
    const after = await all();
    expect(JSON.stringify(after)).not.to.include('Ada Lovelace').and.not.to.include(user?.email);
    const frame = ({ data: _, cause: __, ...rest }: Event) => rest;
    expect(after.slice(0, before.length).map(frame)).to.deep.equal(before.map(frame));
    expect(after.map(({ type }) => type)).to.include.members(['user.erased', 'order.canceled']);
    const statuses = after.flatMap(({ subject, data }) =>
      subject.id === userId ? [(data as User).status] : [],
    );
    expect(statuses).to.deep.equal(['active', 'erased']);
  });

  it('of products and the like keep no id and no idempotency key of a request of a user who is erased', async () => {
    const product = await shop.newProduct({ stock: 1 });
    const all = async () =>
      (await shop.unitOfWork.read(({ events }) => events.page({}, { after: 0, limit: 100 }))).rows;
    const causedBy = ({ userId: actor }: Caller) => ({
      ...{ actor, requestId: 'a-request', idempotencyKey: 'order-of-ada' },
    });
    const placing = { productId: product.id, quantity: Quantity.of(1) };
    const order = await shop.unitOfWork.run(
      shop.useCases.orders.place(shop.customer, placing),
      causedBy(shop.customer),
    );
    await shop.unitOfWork.run(
      shop.useCases.orders.change(shop.customer, { id: order.id, expectedVersions, status: 'canceled' }),
      causedBy(shop.customer),
    );
    const { staff } = shop;
    const adding = { productId: product.id, change: Quantity.of(4), reason: null };
    await shop.unitOfWork.run(shop.useCases.stockChanges.create(staff, adding), causedBy(staff));
    const keyed = (await all()).filter(({ cause }) => cause.idempotencyKey !== null);
    const ofNoOrder = keyed.filter(({ orderId }) => orderId === null);
    expect(ofNoOrder.map(({ type }) => type)).to.deep.equal([
      ...['product.out_of_stock', 'product.back_in_stock', 'product.updated', 'stock_change.created'],
    ]);
    for (const { userId } of [shop.customer, staff])
      await shop.run(shop.useCases.erasures.begin, shop.admin, userId);
    for (let round = 0; round < 3; round += 1) {
      await shop.backgroundJobs.eraseUsers();
      shop.advance(60_000);
    }
    const after = await all();
    expect(after.filter(({ cause }) => cause.idempotencyKey !== null)).to.deep.equal([]);
    for (const { id, cause, data } of ofNoOrder)
      expect(after.find((event) => event.id === id)).to.deep.include({
        ...{ data, cause: { ...cause, requestId: null, idempotencyKey: null } },
      });
  });

  it('are deleted when they are older than they are kept, and their sequences go on', async () => {
    shop.advance(31 * 24 * 60 * 60_000);
    await shop.newProduct();
    await shop.backgroundJobs.purgeEvents();
    const feed = await shop.unitOfWork.read(({ events }) => events.feed());
    expect(feed).to.include({ first: 4, last: 4 });
  });
});

const productDetails = { ...Product.defaults, name: 'Tea', price: { amount: 450, currency: 'EUR' } };

/** The quantities of the items in an event of an order. */
const itemsIn = ({ data }: Event): readonly number[] =>
  (data as Resource & { readonly items: readonly { readonly quantity: Quantity }[] }).items.map(
    ({ quantity }) => quantity / 1000,
  );
