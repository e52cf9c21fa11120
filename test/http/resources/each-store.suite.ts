import { expect } from 'chai';
import { isKept } from '../../support/test-databases.ts';
import { Client, type Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectNoContent,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { isReplay } from '../support/replays.ts';
import { registered, serviceSuite } from '../support/service.ts';
import {
  addItem,
  euros,
  firstItem,
  newOrder,
  newPaidOrder,
  newProduct,
  nowhere,
  once,
  order,
  orderNow,
  pay,
  paymentsOf,
  refund,
  stockOf,
} from '../support/shop.ts';

/*
 * The smoke suite of each kind of store: every collection, kind of page, conflict, race and stored response once, from the socket to
 * the disk. Details of resources are tested on SQLite.
 */
export const describeShop = serviceSuite('A shop', {}, (service, kind) => {
  const customer = registered(service, 'customer');

  it('keeps each field of a product as it was sent', async () => {
    const fields = {
      name: 'Tee: Größe “M”, 茶 🍵',
      description: 'a\nb\tc  ',
      price: euros(2 ** 40),
      stock: 0.001,
    };
    const product = await newProduct(service, fields);
    expect(product).to.deep.include(fields);
    expect(expectOne(await customer.get(`/v1/products/${product.id}`))).to.deep.equal(product);
  });

  it('replaces only the version that the client has seen, and lists what is left', async () => {
    const { id } = await newProduct(service, { name: 'Only once' });
    const seen = { 'If-Match': '"1"' };
    expect(
      expectOne(await service.operator.patch(`/v1/products/${id}`, { name: 'Twice' }, seen)).version,
    ).to.equal(2);
    expectError(
      await service.operator.patch(`/v1/products/${id}`, { name: 'Lost' }, seen),
      'PRECONDITION_FAILED',
    );
    expectNoContent(await service.operator.delete(`/v1/products/${id}`));
    expectError(await service.operator.get(`/v1/products/${id}`), 'PRODUCT_NOT_FOUND');
  });

  it('rejects what is taken, what does not exist, and what is still used', async () => {
    const sku = 'only-one';
    const product = await newProduct(service, { sku });
    expectError(
      await service.operator.post('/v1/products', { name: 'Tea', price: euros(1), sku }),
      'CONFLICT',
      ['sku'],
    );
    await newProduct(service, { sku: sku.toUpperCase() });
    expectError(await customer.post('/v1/orders', { product_id: nowhere, quantity: 1 }), 'PRODUCT_NOT_FOUND');
    await newOrder(customer, product);
    expectError(await service.operator.delete(`/v1/users/${customer.userId}`), 'CONFLICT');
    expectInvalid(await service.operator.post('/v1/products', { name: '', price: euros(1) }), 'name');
  });

  it('gives an external id to one of ten orders that ask for it at a time', async () => {
    const product = await newProduct(service);
    const orders = await Promise.all(Array.from({ length: 10 }, () => newOrder(customer, product)));
    const named = { external_id: 'ERP/4711' };
    const changed = await Promise.all(
      orders.map(({ id }, place) =>
        place % 2 === 0
          ? service.operator.patch(`/v1/orders/${id}`, named)
          : service.operator.post('/v1/orders', { product_id: product.id, quantity: 1, ...named }),
      ),
    );
    const losers = changed.filter(({ status }) => status > 201);
    expect(losers).to.have.lengthOf(9);
    for (const loser of losers) expectError(loser, 'CONFLICT', ['external_id']);
    const other = { external_id: 'erp/4711' };
    const [winner = { body: {} }] = changed.filter(({ status }) => status < 300);
    expectOne(await service.operator.patch(`/v1/orders/${winner.body.data.id}`, named));
    const free = orders.find(({ id }) => id !== winner.body.data.id);
    expectOne(await service.operator.patch(`/v1/orders/${free?.id}`, other));
  });

  it('keeps what is written of an order, in every script', async () => {
    const placed = await newOrder(service.operator, await newProduct(service, { tax_rate: 8.875 }));
    const address = {
      ...{ name: 'Ünïcödé 茶 🍵', company: '', line1: '“1”\n', line2: null, postal_code: '00 1' },
      ...{ city: 'Zürich', region: 'e\u0301', country: 'CH', phone: '+41' },
    };
    const details = {
      shipping_address: address,
      billing_address: { ...address, name: "O'Brien \\ Söhne" },
      note: 'a\nb\tc  ',
      metadata: { toString: '', 'a.b-c_D': 'é "x" \\ \u2028', 10: 'ten', 9: 'nine' },
      shipping: euros(490),
      discount: euros(40),
      shipping_tax_rate: 0.001,
    };
    const changed = expectOne(await service.operator.patch(`/v1/orders/${placed.id}`, details));
    expect(changed).to.deep.include({ ...details, version: 2, total: euros(800), items_total: euros(350) });
    expect(await orderNow(service.operator, placed)).to.deep.equal(changed);
    expect((await firstItem(service.operator, placed)).tax_rate).to.equal(8.875);
    const rates = changed.taxes.map(({ rate, gross }: Json) => [rate, gross.amount]);
    expect(rates).to.deep.equal([
      [0.001, 467],
      [8.875, 333],
    ]);
  });

  it('keeps the longest details of an order', async () => {
    const order = await newOrder(service.operator, await newProduct(service));
    const emoji = (length: number) => '🫖'.repeat(length);
    const address = {
      ...{ name: emoji(200), company: emoji(200), line1: emoji(200), line2: emoji(200), city: emoji(100) },
      ...{ postal_code: emoji(20), region: emoji(100), country: 'AT', phone: emoji(30) },
    };
    const names = Array.from({ length: 16 }, (_, place) => [`${place}`.padStart(12, 'n'), 'é'.repeat(245)]);
    const texts = { note: emoji(1000), external_id: '~'.repeat(128), metadata: Object.fromEntries(names) };
    const longest = { ...texts, shipping_address: address, billing_address: address };
    expect(expectOne(await service.operator.patch(`/v1/orders/${order.id}`, longest))).to.deep.include(
      longest,
    );
    expect(await orderNow(service.operator, order)).to.deep.include(longest);
  });

  it('pages through a list once, filtered and in order, whatever is added meanwhile', async () => {
    const product = await newProduct(service);
    const buyer = await service.person('customer');
    const placed: Json[] = [];
    for (let count = 0; count < 5; count += 1) placed.push(await newOrder(buyer, product));
    const seen: string[] = [];
    let address: string | null = '/v1/orders?limit=2&status=pending';
    while (address !== null) {
      const page: Json = await buyer.get(address);
      seen.push(...idsOf(page.body.data));
      if (seen.length === 2) await newOrder(buyer, product);
      address = page.body.links.next;
    }
    expect(seen.filter((id) => placed.some((one) => one.id === id))).to.deep.equal(idsOf(placed));
    expect(new Set(seen).size).to.equal(seen.length);
  });

  it('sells the last unit once to ten buyers at a time', async () => {
    const product = await newProduct(service, { stock: 1 });
    const responses = await Promise.all(Array.from({ length: 10 }, () => order(customer, product)));
    expect(responses.filter(({ status }) => status === 201)).to.have.lengthOf(1);
    for (const response of responses) if (response.status !== 201) expectError(response, 'OUT_OF_STOCK');
    expect(await stockOf(service, product)).to.equal(0);
  });

  it('changes a stock exactly beside fifteen orders, and keeps each change when the product goes', async () => {
    const product = await newProduct(service, { stock: 200 });
    const changes = Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? -1.5 : 1));
    const responses = await Promise.all([
      ...Array.from({ length: 15 }, () => order(customer, product, 2)),
      ...changes.map((change) =>
        service.operator.post('/v1/stock-changes', { product_id: product.id, change }),
      ),
    ]);
    expect(responses.filter(({ status }) => status !== 201)).to.deep.equal([]);
    const sum = changes.reduce((total, change) => total + change, 0);
    expect(await stockOf(service, product)).to.equal(200 - 30 + sum);
    expectNoContent(await service.operator.delete(`/v1/products/${product.id}`));
    const kept = await service.operator.get(`/v1/stock-changes?product_id=${product.id}&limit=100`);
    const rows = expectList(kept);
    expect(rows.map(({ change }) => change).toSorted()).to.deep.equal(changes.toSorted());
  });

  it('adds items, changes them and removes them with their order’s total', async () => {
    const product = await newProduct(service, { price: euros(300), stock: 10 });
    const basket = await newOrder(customer, product, 1);
    const item = expectOne(await addItem(customer, basket, product, 2), 201);
    expect((await orderNow(customer, basket)).total).to.deep.equal(euros(900));
    const path = `/v1/orders/${basket.id}/items/${item.id}`;
    expectOne(await customer.patch(path, { quantity: 4 }));
    expect((await orderNow(customer, basket)).total).to.deep.equal(euros(1500));
    expectNoContent(await customer.delete(path));
    expect((await orderNow(customer, basket)).total).to.deep.equal(euros(300));
    expect(await stockOf(service, product)).to.equal(9);
  });

  it('pays once for ten equal requests with one key, and replays the response', async () => {
    const unpaid = await newOrder(customer, await newProduct(service));
    const key = once()['Idempotency-Key'] ?? '';
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => pay(customer, unpaid, 'tok_ok', key)),
    );
    const first = responses.find((response) => response.status === 201 && !isReplay(response));
    const paid = expectCreated(first as Json, '/v1/payments');
    const again = await pay(customer, unpaid, 'tok_ok', key);
    expect(isReplay(again)).to.equal(true);
    expect(again.text).to.equal((first as Json).text);
    expectError(await pay(customer, unpaid, 'tok_declined', key), 'IDEMPOTENCY_KEY_REUSED', [
      'payment_method',
    ]);
    expect(idsOf(await paymentsOf(customer, unpaid))).to.deep.equal([paid.id]);
    expect((await orderNow(customer, unpaid)).status).to.equal('paid');
  });

  it('charges no order twice with two keys, and lets a declined payment be tried again', async () => {
    const unpaid = await newOrder(customer, await newProduct(service));
    expectError(await pay(customer, unpaid, 'tok_declined'), 'PAYMENT_DECLINED');
    const both = await Promise.all([pay(customer, unpaid), pay(customer, unpaid)]);
    expect(both.map(({ status }) => status).toSorted()).to.deep.equal([201, 409]);
    const succeeded = (await paymentsOf(customer, unpaid)).filter(({ status }) => status === 'succeeded');
    expect(succeeded).to.have.lengthOf(1);
  });

  it('refunds once for ten who have seen the same, and once for ten requests with one key', async () => {
    const paid = await newPaidOrder(customer, await newProduct(service, { price: euros(500) }));
    const [payment] = await paymentsOf(customer, paid);
    const give = (seen: number, key?: string) =>
      refund(service.operator, payment, { amount: euros(10), expected_refunded: euros(seen) }, key);
    const ten = Array.from({ length: 10 });
    const others = (await Promise.all(ten.map(() => give(0)))).filter(({ status }) => status !== 201);
    expect(others).to.have.lengthOf(9);
    for (const other of others) expectError(other, 'CONFLICT', ['expected_refunded']);
    const key = crypto.randomUUID();
    for (const { status, body } of await Promise.all(ten.map(() => give(10, key))))
      if (status !== 201) expect(body.error.code).to.equal('IDEMPOTENCY_KEY_IN_PROGRESS');
    expectCreated(await give(10, key), '/v1/refunds');
    const { refunded, refunding } = expectOne(await customer.get(`/v1/payments/${payment.id}`));
    expect({ refunded, refunding }).to.deep.equal({ refunded: euros(20), refunding: euros(0) });
  });

  it('refunds at most what was paid', async () => {
    const paid = await newPaidOrder(customer, await newProduct(service, { price: euros(500) }));
    const [payment] = await paymentsOf(customer, paid);
    const first = await refund(service.operator, payment, { amount: euros(400) });
    expectCreated(first, '/v1/refunds');
    expectError(await refund(service.operator, payment, { amount: euros(200) }), 'AMOUNT_EXCEEDED');
    expectCreated(await refund(service.operator, payment, { amount: euros(100) }), '/v1/refunds');
    expect((await orderNow(customer, paid)).status).to.equal('refunded');
  });

  it('keeps reviews, and shows them with their product', async () => {
    const product = await newProduct(service);
    const item = await firstItem(customer, await newPaidOrder(customer, product));
    const fields = { rating: 5, title: 'Mild', body: 'Warm' };
    const review = expectCreated(
      await customer.post('/v1/reviews', { item_id: item.id, ...fields }),
      '/v1/reviews',
    );
    expect(review).to.deep.include({ ...fields, product_id: product.id, user_id: customer.userId });
    expectError(await customer.post('/v1/reviews', { item_id: item.id, rating: 1 }), 'CONFLICT', ['item_id']);
    expect(expectList(await customer.get(`/v1/reviews?product_id=${product.id}`))).to.deep.equal([review]);
  });

  it('keeps one of two reviews of a product that a user sends at once', async () => {
    const product = await newProduct(service);
    const orders = [await newPaidOrder(customer, product), await newPaidOrder(customer, product)];
    const items = await Promise.all(orders.map((order) => firstItem(customer, order)));
    const responses = await Promise.all(
      items.map(({ id }) => customer.post('/v1/reviews', { item_id: id, rating: 5 })),
    );
    const [rejected, ...kept] = responses.toSorted((one, next) => next.status - one.status);
    expectError(rejected as (typeof responses)[0], 'CONFLICT', ['item_id']);
    const reviewed = `/v1/reviews?product_id=${product.id}&user_id=${customer.userId}`;
    expect(expectList(await customer.get(reviewed))).to.deep.equal(kept.map(({ body }) => body.data));
  });

  it('rejects a revoked API key', async () => {
    const key = expectCreated(await customer.post('/v1/api-keys', { name: 'Till' }), '/v1/api-keys');
    expectNoContent(await customer.delete(`/v1/api-keys/${key.id}`));
    const holder = new Client(() => service.url, key.token);
    expectError(await holder.get('/v1/orders'), 'UNAUTHORIZED');
    expectError(await customer.get(`/v1/api-keys/${key.id}`), 'NOT_FOUND');
  });

  it('keeps everything through a restart, unless it is kept in memory', async () => {
    const product = await newProduct(service, { name: 'Lasting' });
    await service.stop();
    await service.start();
    const found = await service.operator.get(`/v1/products/${product.id}`);
    if (isKept(kind)) expect(expectOne(found)).to.deep.equal(product);
    else expectError(found, 'PRODUCT_NOT_FOUND');
  });
});
