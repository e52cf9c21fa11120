import { expect } from 'chai';
import type { ApiResponse, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { expectReplay, isReplay, twice } from '../support/replays.ts';
import { registered, serviceSuite } from '../support/service.ts';
import { euros, newProduct, nowhere, offered, once, orderNow, stockOf } from '../support/shop.ts';

export const describeOrdersOfItems = serviceSuite('Orders of several items', {}, (service) => {
  const customer = registered(service, 'customer');
  let tea: Json;
  const coffee = offered(service, { name: 'Coffee', price: euros(1000) });

  beforeEach(async () => {
    tea = await newProduct(service, { stock: 10 });
  });

  const place = (items: unknown, more: Json = {}, headers = {}): Promise<ApiResponse> =>
    customer.post('/v1/orders', { items, ...more }, headers);

  const of = ({ id }: Json, quantity: unknown = 1): Json => ({ product_id: id, quantity });

  const itemsOf = async ({ id }: Json): Promise<Json[]> =>
    expectList(await customer.get(`/v1/orders/${id}/items`));

  it('hold them in the order of the request, and count and sum them', async () => {
    const placed = expectCreated(await place([of(coffee, 1.5), of(tea, 2), of(coffee)]), '/v1/orders');
    expect(placed).to.deep.include({
      ...{ item_count: 3, items_total: euros(3200), total: euros(3200), version: 1 },
      ...{ status: 'pending', user_id: customer.userId },
    });
    expect(await orderNow(customer, placed)).to.deep.equal(placed);
    const items = (await itemsOf(placed)).map(({ product_name, quantity, total }) => ({
      ...{ product_name, quantity, total },
    }));
    expect(items).to.deep.equal([
      { product_name: 'Coffee', quantity: 1.5, total: euros(1500) },
      { product_name: 'Tea', quantity: 2, total: euros(700) },
      { product_name: 'Coffee', quantity: 1, total: euros(1000) },
    ]);
    expect(await stockOf(service, tea)).to.equal(8);
  });

  it('can be of a hundred items, of no more, and of no less than one', async () => {
    const lines = Array.from({ length: 101 }, () => of(tea, 0.01));
    expect(expectCreated(await place(lines.slice(1)), '/v1/orders').item_count).to.equal(100);
    for (const items of [lines, [], null, {}, 'tea', 1]) expectInvalid(await place(items), 'items');
    expect(await stockOf(service, tea)).to.equal(9);
  });

  it('are ordered with items or with one product, and items are at fault where both are sent', async () => {
    for (const [more, ...fields] of [
      [of(tea), 'items'],
      [{ product_id: tea.id }, 'items'],
      [{ quantity: 0 }, 'items'],
      [{ quantity: 1, number: '1' }, 'items', 'number'],
    ] as const)
      expectInvalid(await place([of(tea)], more), ...fields);
    expectInvalid(await place([of(tea, 0)], of(tea)), 'items', 'items.0.quantity');
    expectInvalid(await customer.post('/v1/orders', {}), 'product_id', 'quantity');
    expectInvalid(await customer.post('/v1/orders', { quantity: 0 }), 'product_id', 'quantity');
    expect(await stockOf(service, tea)).to.equal(10);
  });

  it('name each invalid field by the index of its item', async () => {
    const nonsense = [null, '1', 0, -0, -1, 2 ** 60, 0.0001, 1_000_001, true, [], {}];
    expectInvalid(
      await place([of(tea), ...nonsense.map((value) => of(tea, value))]),
      ...nonsense.map((_, index) => `items.${index + 1}.quantity`),
    );
    expectInvalid(
      await place([of({ id: 'tea' }), 5, {}, null, { ...of(tea), price: 1 }]),
      ...[
        ...['items.0.product_id', 'items.1', 'items.2.product_id', 'items.2.quantity', 'items.3'],
        'items.4.price',
      ],
    );
  });

  it('name every missing product, else every unavailable one, else every shortage', async () => {
    const draft = await newProduct(service, { status: 'draft' });
    const gone = { id: nowhere };
    expectError(await place([of(gone), of(tea, 11), of(draft), of(gone)]), 'PRODUCT_NOT_FOUND', [
      ...['items.0.product_id', 'items.3.product_id'],
    ]);
    expectError(await place([of(tea, 11), of(draft), of(coffee), of(draft)]), 'PRODUCT_UNAVAILABLE', [
      ...['items.1.product_id', 'items.3.product_id'],
    ]);
    expectError(await place([of(tea, 5), of(coffee), of(tea, 5.001)]), 'OUT_OF_STOCK', [
      ...['items.0.product_id', 'items.2.product_id'],
    ]);
    expect(await stockOf(service, tea)).to.equal(10);
  });

  it('name every product in another currency than the first', async () => {
    const dollars = await newProduct(service, { price: { amount: 1, currency: 'USD' } });
    expectInvalid(
      await place([of(tea), of(dollars), of(coffee), of(dollars)]),
      ...[...['items.1.product_id', 'items.3.product_id']],
    );
    expect(await stockOf(service, tea)).to.equal(10);
  });

  it('name the item with which the total is too large', async () => {
    const dear = await newProduct(service, { price: euros(Number.MAX_SAFE_INTEGER) });
    expectInvalid(await place([of(tea), of(dear)]), 'items.1.quantity');
    expectInvalid(await place([of(tea), of(tea), of(dear, 2)]), 'items.2.quantity');
    expect(await stockOf(service, tea)).to.equal(10);
  });

  it('are placed once for a key, and a rejected one is rejected again with the same details', async () => {
    const [key, another] = [once(), once()];
    const [first, second] = await twice(() => place([of(tea, 3), of(coffee)], {}, key));
    expectReplay(second, first);
    expectError(await place([of(coffee), of(tea, 3)], {}, key), 'IDEMPOTENCY_KEY_REUSED');
    const responses = await twice(() => place([of(coffee), of(tea, 8)], {}, another));
    for (const response of responses) expectError(response, 'OUT_OF_STOCK', ['items.1.product_id']);
    expect(responses.map(isReplay)).to.deep.equal([false, true]);
    expect(await stockOf(service, tea)).to.equal(7);
  });

  it('release all they hold when they are canceled', async () => {
    const placed = expectCreated(await place([of(tea, 3), of(coffee), of(tea, 4)]), '/v1/orders');
    expect(await stockOf(service, tea)).to.equal(3);
    expectOne(await customer.patch(`/v1/orders/${placed.id}`, { status: 'canceled' }));
    expect(await stockOf(service, tea)).to.equal(10);
  });

  it('take the details of any order, and belong to whom staff place them for', async () => {
    const items = [of(tea), of(coffee)];
    expectError(await place(items, { shipping: euros(100) }), 'FORBIDDEN');
    const placed = expectCreated(
      await service.operator.post('/v1/orders', {
        ...{ items, user_id: customer.userId, shipping: euros(500), discount: euros(50), note: 'Ring.' },
      }),
      '/v1/orders',
    );
    expect(placed).to.deep.include({
      ...{ user_id: customer.userId, items_total: euros(1350), total: euros(1800), note: 'Ring.' },
    });
  });
});
