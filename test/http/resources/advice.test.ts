import { expect } from 'chai';
import type { ApiResponse, Json } from '../support/client.ts';
import { describeServiceOnMemory, registered } from '../support/service.ts';
import {
  euros,
  newOrder,
  newPaidOrder,
  newProduct,
  offered,
  once,
  paymentsOf,
  refund,
} from '../support/shop.ts';

const messageOf = ({ body }: ApiResponse): string => {
  const { message, details = [] } = body.error;
  return [message, ...details.map((detail: Json) => `${detail.field} ${detail.message}`)].join(' ');
};

describeServiceOnMemory('The message of an error', {}, (service) => {
  const customer = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const tea = offered(service, { price: euros(1250) });

  const become = async (order: Json, fields: object, by = staff): Promise<string> =>
    messageOf(await by.patch(`/v1/orders/${order.id}`, fields));

  it('names what only staff may write', async () => {
    const order = {
      product_id: tea.id,
      quantity: 1,
      discount: euros(1),
      shipping_tax_rate: 20,
      metadata: {},
    };
    expect(messageOf(await customer.post('/v1/orders', order))).to.equal(
      'Writing metadata, discount and shipping tax rate requires the role staff or higher. The caller has the role customer.',
    );
    const mine = await newOrder(customer, tea);
    expect(await become(mine, { external_id: 'A-1' }, customer)).to.equal(
      'Writing external id requires the role staff or higher. The caller has the role customer.',
    );
    expect(await become(mine, { status: 'fulfilled' }, customer)).to.equal(
      'This requires the role staff or higher. The caller has the role customer.',
    );
    const key = { name: 'Page', rate_limit: 10 };
    expect(messageOf(await staff.post('/v1/api-keys', key))).to.equal(
      'Writing rate limit requires the role admin. The caller has the role staff.',
    );
  });

  it('knows no role above admin', async () => {
    expect(messageOf(await staff.post('/v1/users', { email: 'a@example.com', name: 'A' }))).to.equal(
      'This requires the role admin. The caller has the role staff.',
    );
  });

  it('says how a paid order is given back, and that a canceled one stays so', async () => {
    const paid = await newPaidOrder(customer, tea);
    expect(await become(paid, { status: 'canceled' })).to.equal(
      'An order that is paid cannot become canceled. Refund its payment instead. Staff cancel it only when its money was lost in a dispute.',
    );
    const canceled = await newOrder(customer, tea);
    await staff.patch(`/v1/orders/${canceled.id}`, { status: 'canceled' });
    expect(await become(canceled, { status: 'canceled' })).to.equal(
      'An order that is canceled cannot become canceled. That is final. Place a new order instead.',
    );
    expect(await become(canceled, { status: 'pending' })).to.equal(
      'The status of an order cannot be set to pending. Place a new order instead.',
    );
  });

  it('says which texts of a paid order its owner no longer writes', async () => {
    const paid = await newPaidOrder(customer, tea);
    expect(await become(paid, { billing_address: null }, customer)).to.equal(
      'The order is paid. Its owner writes addresses and note while it is pending. Ask the shop to change it.',
    );
    await staff.patch(`/v1/orders/${paid.id}`, { status: 'fulfilled' });
    expect(await become(paid, { note: 'Late' })).to.equal(
      'The order is fulfilled. Staff write shipping address and note while it is pending or paid, and metadata always.',
    );
  });

  it('says which amounts are possible', async () => {
    const [payment] = await paymentsOf(customer, await newPaidOrder(customer, tea));
    await refund(staff, payment as Json, { amount: euros(250) });
    expect(messageOf(await refund(staff, payment as Json, { amount: euros(1001) }))).to.equal(
      'The amount exceeds what is left to refund of the payment, which is 1000 in the minor unit of EUR.',
    );
    const { id: order_id } = await newOrder(customer, tea);
    const wrong = { order_id, payment_method: 'tok_ok', amount: euros(1150) };
    expect(messageOf(await customer.post('/v1/payments', wrong, once()))).to.equal(
      "Some fields are not valid. amount must be the order's total, which is 1250 in the minor unit of EUR",
    );
  });

  it('says how much of each item of a basket is left', async () => {
    const coffee = await newProduct(service, { stock: 1.5 });
    const items = [tea, coffee].map(({ id }) => ({ product_id: id, quantity: 2 }));
    expect(messageOf(await customer.post('/v1/orders', { items }))).to.equal(
      'There is not enough in stock. items.1.product_id is not in stock in this quantity: 1.5 is left',
    );
  });

  it('says how a list continues', async () => {
    const message = messageOf(await staff.get('/v1/products?q=tea&cursor=abc'));
    expect(message).to.match(
      /cursor must be the next_cursor of a page of this list, with the same filters and sort$/,
    );
  });

  it('names the methods of a path, and says of a credential that it may have expired', async () => {
    expect(messageOf(await staff.delete('/v1/orders/01a21826-3ca0-755f-aa70-e140e878ddb0'))).to.equal(
      'DELETE is not supported at this path. It supports OPTIONS, HEAD, GET, PATCH.',
    );
    expect(messageOf(await service.stranger.get('/v1/products'))).to.equal(
      'The API key or access token is missing, unknown or expired. Send a valid one as `Authorization: Bearer <key>`. The operator of this server creates keys.',
    );
  });
});
