import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { describeLimits, orNull, textLimit } from '../support/limits.ts';
import { describeServiceInSimulatedTime, registered, type Service } from '../support/service.ts';
import { euros, newOrder, newPaidOrder, offered, orderNow, pay } from '../support/shop.ts';

const home = { name: 'Ada Hill', line1: 'Herrengasse 1', city: 'Wien', country: 'AT' };
const noMore = { company: null, line2: null, postal_code: null, region: null, phone: null };

const describeOrderDetails = (service: Service): void => {
  const customer = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const product = offered(service, { price: euros(1000) });

  const place = (by: Client, details: object) =>
    by.post('/v1/orders', { product_id: product.id, quantity: 1, ...details });
  const pathOf = ({ id }: Json) => `/v1/orders/${id}`;
  const change = (by: Client, order: Json, changes: object) => by.patch(pathOf(order), changes);

  it('are given when an order is placed', async () => {
    const mine = { shipping_address: home, billing_address: null, note: '' };
    const order = expectCreated(await place(customer, mine), '/v1/orders');
    expect(order).to.deep.include({ ...mine, shipping_address: { ...home, ...noMore }, version: 1 });
    expect(await orderNow(customer, order)).to.deep.equal(order);
    const priced = { shipping: euros(490), discount: euros(1490), shipping_tax_rate: 8.875 };
    const all = { external_id: 'at-creation', metadata: { a: '' }, ...priced };
    expect(expectCreated(await place(staff, all), '/v1/orders')).to.deep.include({
      ...all,
      items_total: euros(1000),
      total: euros(0),
      version: 1,
    });
  });

  it('are merged by PATCH, in one version however many there are', async () => {
    const order = await newOrder(customer, product);
    const first = {
      shipping_address: home,
      note: 'Ring twice.',
      metadata: { a: '1', b: '2' },
      external_id: 'x1',
    };
    expect(expectOne(await change(staff, order, { ...first, discount: { amount: 100 } }))).to.include({
      version: 2,
      note: 'Ring twice.',
      external_id: 'x1',
    });
    const second = { shipping_address: { phone: '1', postal_code: '1010' }, metadata: { a: null, c: '3' } };
    const changed = expectOne(await change(staff, order, { ...second, external_id: null }));
    expect(changed).to.deep.include({
      version: 3,
      shipping_address: { ...home, ...noMore, phone: '1', postal_code: '1010' },
      metadata: { b: '2', c: '3' },
      external_id: null,
      discount: euros(100),
      total: euros(900),
    });
    expect(expectOne(await change(staff, order, {})).version).to.equal(3);
    expect(expectOne(await change(customer, order, { shipping_address: null })).shipping_address).to.equal(
      null,
    );
    expectError(
      await customer.patch(pathOf(order), { note: null }, { 'If-Match': '"3"' }),
      'PRECONDITION_FAILED',
    );
  });

  it('change together with the status, or not at all', async () => {
    const order = await newOrder(customer, product);
    const canceled = expectOne(await change(customer, order, { status: 'canceled', note: 'Too late' }));
    expect(canceled).to.include({ status: 'canceled', note: 'Too late', version: 2 });
    const paid = await newPaidOrder(customer, product);
    expectError(await change(staff, paid, { status: 'fulfilled', shipping: euros(1) }), 'INVALID_STATE');
    expectError(await change(staff, paid, { status: 'canceled', metadata: { a: '1' } }), 'INVALID_STATE');
    const unfinished = { status: 'fulfilled', shipping_address: { city: 'Graz' } };
    expectInvalid(
      await change(staff, paid, unfinished),
      ...['shipping_address.name', 'shipping_address.line1', 'shipping_address.country'],
    );
    expect(await orderNow(staff, paid)).to.deep.equal(paid);
  });

  it('of staff get a customer 403, at creation too', async () => {
    const order = await newOrder(customer, product);
    const theirs = {
      external_id: null,
      metadata: {},
      shipping: euros(0),
      discount: euros(0),
      shipping_tax_rate: null,
    };
    for (const [field, value] of Object.entries(theirs)) {
      expectError(await change(customer, order, { [field]: value, note: 'x' }), 'FORBIDDEN');
      expectError(await place(customer, { [field]: value }), 'FORBIDDEN');
      // Ownership comes before preconditions and state.
      expectError(
        await customer.patch(pathOf(order), { [field]: value }, { 'If-Match': '"9"' }),
        'FORBIDDEN',
      );
    }
    expect(await orderNow(customer, order)).to.deep.equal(order);
  });

  it('are written by the owner while the order is pending, and by staff for longer', async () => {
    const paid = await newPaidOrder(customer, product);
    for (const field of ['shipping_address', 'billing_address'])
      expectError(await change(customer, paid, { [field]: home }), 'INVALID_STATE');
    expectError(await change(customer, paid, { note: 'x' }), 'INVALID_STATE');
    expectOne(await change(staff, paid, { shipping_address: home, billing_address: home, note: 'x' }));
    expectOne(await change(staff, paid, { status: 'fulfilled' }));
    expectError(await change(staff, paid, { shipping_address: { city: 'Graz' } }), 'INVALID_STATE');
    expectError(await change(staff, paid, { note: null }), 'INVALID_STATE');
    const always = { billing_address: { city: 'Graz' }, metadata: { sent: 'yes' }, external_id: 'late' };
    expect(expectOne(await change(staff, paid, always)).billing_address).to.include({
      ...home,
      city: 'Graz',
    });
  });

  it('other than prices and status may change during a payment', async () => {
    const order = await newOrder(customer, product);
    const key = crypto.randomUUID();
    expectError(await pay(customer, order, 'tok_timeout', key), 'UPSTREAM_TIMEOUT');
    for (const changes of [
      { shipping: euros(1) },
      { discount: euros(1) },
      { shipping_tax_rate: 20 },
      { status: 'canceled' },
      { note: 'x', status: 'canceled' },
    ])
      expectError(await change(staff, order, changes), 'INVALID_STATE');
    const items = await customer.get(`${pathOf(order)}/items`);
    const item = `${pathOf(order)}/items/${items.body.data[0].id}`;
    expectError(await staff.patch(item, { quantity: 2 }), 'INVALID_STATE');
    const others = { metadata: { a: '1' }, external_id: 'during', note: 'x' };
    expectOne(await change(staff, order, { ...others, shipping_address: home, billing_address: home }));
    expectOne(await change(customer, order, { note: 'mine', billing_address: null }));
    expect((await orderNow(customer, order)).shipping_address).to.include(home);
    expectOne(await pay(customer, order, 'tok_timeout', key), 201);
    expect(await orderNow(customer, order)).to.deep.include({
      ...{ status: 'paid', metadata: { a: '1' }, external_id: 'during', note: 'mine', billing_address: null },
    });
  });

  describe('within limits', () => {
    let order: Json;
    before(async () => {
      order = await newOrder(customer, product);
    });
    const send = (body: Json) => change(staff, order, body);
    const wrong = { accepts: [], rejects: [null, 'x', [], 7] };
    const amount = { accepts: [0, 1000], rejects: [-1, 1.5, '1', null, 2 ** 53] };
    describeLimits(
      {
        note: orNull(textLimit(0, 1000)),
        external_id: {
          accepts: ['SAP/1', '~', 'x'.repeat(128), null],
          rejects: ['', 'x'.repeat(129), 'a b', 'ä', '\n', '\0', 7, {}, []],
        },
        metadata: wrong,
        'metadata.a': { accepts: ['', 'x'.repeat(500)], rejects: ['x'.repeat(501), 'NUL \0', 7, {}, []] },
        'metadata.a b': { accepts: [], rejects: ['x', null] },
        'metadata.__proto': { accepts: ['x'], rejects: [] },
        shipping: wrong,
        discount: wrong,
        'shipping.amount': amount,
        'discount.amount': amount,
        shipping_tax_rate: {
          accepts: [0, 0.001, 19, 100, null],
          rejects: [-1, 100.001, 1.0001, '19', true, []],
        },
        shipping_address: { accepts: [null], rejects: ['x', [], 7] },
        billing_address: { accepts: [null], rejects: ['x', [], 7] },
      },
      {},
      send,
    );
    const whole = { billing_address: { ...home, ...noMore } };
    const { accepts, rejects } = textLimit(1, 200);
    const invisible = { accepts, rejects: [...rejects, '\u200b'] };
    describeLimits(
      {
        'billing_address.name': invisible,
        'billing_address.company': orNull(textLimit(0, 200)),
        'billing_address.line1': invisible,
        'billing_address.line2': orNull(textLimit(0, 200)),
        'billing_address.postal_code': orNull(textLimit(0, 20)),
        'billing_address.city': textLimit(1, 100),
        'billing_address.region': orNull(textLimit(0, 100)),
        'billing_address.country': {
          accepts: ['AT', 'DE'],
          rejects: ['at', 'XX', 'AUT', '', null, 7],
        },
        'billing_address.phone': orNull(textLimit(0, 30)),
        'billing_address.street': { accepts: [], rejects: ['x', null] },
      },
      whole,
      send,
    );

    it('never take a name for a member of an object', async () => {
      for (const name of ['__proto__', 'constructor', 'prototype']) {
        const response = await staff.send('PATCH', pathOf(order), `{"metadata": {"${name}": "x"}}`);
        expectInvalid(response, `metadata.${name}`);
      }
      const names = { toString: '1', hasOwnProperty: '2', valueOf: '3' };
      expect(expectOne(await send({ metadata: names })).metadata).to.deep.include(names);
    });

    it('have 8 KiB of metadata after the merge', async () => {
      const { id } = await newOrder(staff, product);
      for (let part = 0; part < 15; part += 1)
        expectOne(await change(staff, { id }, { metadata: { [`n${part}`]: 'x'.repeat(500) } }));
      expectInvalid(
        await change(staff, { id }, { metadata: { n15: 'x'.repeat(500), n16: 'x'.repeat(500) } }),
        'metadata',
      );
      expectOne(await change(staff, { id }, { metadata: { n15: 'x'.repeat(500), n0: null } }));
    });
  });
};

describeServiceInSimulatedTime('Order details', { PAYMENT_TIMEOUT_MS: '300' }, describeOrderDetails, {
  kind: 'sqlite',
});
