import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectInvalid } from '../support/expectations.ts';
import { registered, serviceSuite } from '../support/service.ts';
import { newOrder, newPaidOrder, newProduct, once, paymentsOf, refund } from '../support/shop.ts';

const dayMs = 86_400_000;

const at = (instant: string, milliseconds: number): string => Instant.plus(instant as Instant, milliseconds);

/** All rows of a report. */
export const sales = async (reader: Client, query: string): Promise<Json[]> => {
  const { status, body, text } = await reader.get(`/v1/sales?${query}`);
  expect(status, text).to.equal(200);
  const { data, pagination, links } = body;
  expect(pagination).to.deep.equal({ next_cursor: null, has_more: false, limit: 10_000 });
  expect(links).to.deep.equal({ next: null });
  return data;
};

export const describeSales = serviceSuite('The report of sales', {}, (service) => {
  const staff = registered(service, 'staff');
  const buyer = registered(service, 'customer');

  const productIn = (currency: string, amount = 450) => newProduct(service, { price: { amount, currency } });

  /** The rows of one currency: each test has its own. */
  const salesIn = async (currency: string, query: string): Promise<Json[]> =>
    (await sales(staff, query)).filter((row) => row.currency === currency);

  it('has what was ordered, taken and given back, by currency', async () => {
    const [francs, yen] = [await productIn('CHF'), await productIn('JPY', 300)];
    const first = await newPaidOrder(buyer, francs, 2);
    const fulfilled = await newPaidOrder(buyer, francs);
    await staff.patch(`/v1/orders/${fulfilled.id}`, { status: 'fulfilled' });
    const canceled = await newOrder(buyer, francs);
    await buyer.patch(`/v1/orders/${canceled.id}`, { status: 'canceled' });
    await newOrder(buyer, francs);
    await newOrder(buyer, yen);
    const [payment] = await paymentsOf(staff, first);
    await refund(staff, payment, { amount: { amount: 100, currency: 'CHF' } });
    const none = (currency: string) => ({ amount: 0, currency });
    const from = first.created_at;
    const until = at(from, dayMs);
    expect(await salesIn('CHF', `from=${from}`)).to.deep.equal([
      {
        ...{ from, until, currency: 'CHF', order_count: 3, paid_order_count: 2 },
        ...{ paid: { amount: 1_350, currency: 'CHF' }, refund_count: 1 },
        ...{ refunded: { amount: 100, currency: 'CHF' } },
        ...{ captured: { amount: 1_350, currency: 'CHF' }, disputed: none('CHF') },
      },
    ]);
    expect(await salesIn('JPY', `from=${from}`)).to.deep.equal([
      {
        ...{ from, until, currency: 'JPY', order_count: 1, paid_order_count: 0, paid: none('JPY') },
        ...{ refund_count: 0, refunded: none('JPY'), captured: none('JPY'), disputed: none('JPY') },
      },
    ]);
    const rows: Json[] = await sales(staff, `from=${from}`);
    expect(rows.map(({ currency }) => currency)).to.deep.equal(
      rows.map(({ currency }) => currency).toSorted(),
    );
  });

  it('counts an order as paid in its own period once it is refunded', async () => {
    const product = await productIn('SEK');
    const order = await newPaidOrder(buyer, product);
    const [payment] = await paymentsOf(staff, order);
    await refund(staff, payment);
    const [row] = await salesIn('SEK', `from=${order.created_at}`);
    expect(row).to.deep.include({
      ...{ order_count: 1, paid_order_count: 1, paid: { amount: 450, currency: 'SEK' } },
      ...{ refund_count: 1, refunded: { amount: 450, currency: 'SEK' } },
    });
  });

  it('says what was taken, offline and in part, whatever is left of it', async () => {
    const product = await productIn('PLN', 1_000);
    const taken = async (body: Json): Promise<Json> => {
      const order = await newOrder(buyer, product);
      const response = await staff.post('/v1/payments', { order_id: order.id, ...body }, once());
      return { order, payment: expectCreated(response, '/v1/payments') };
    };
    const { order, payment } = await taken({ payment_method: 'tok_ok', capture: 'manual' });
    await taken({ payment_method: 'offline' });
    await taken({ payment_method: 'tok_ok', capture: 'manual' });
    const amount = { amount: 700, currency: 'PLN' };
    expectCreated(
      await staff.post('/v1/captures', { payment_id: payment.id, amount }, once()),
      '/v1/captures',
    );
    await refund(staff, payment);
    const [row] = await salesIn('PLN', `from=${order.created_at}`);
    expect(row).to.deep.include({
      ...{ order_count: 3, paid_order_count: 2, paid: { amount: 2_000, currency: 'PLN' } },
      ...{ refunded: amount, captured: { amount: 1_700, currency: 'PLN' } },
    });
  });

  it('has periods that end where the next day of a time zone begins', async () => {
    const product = await productIn('CZK');
    const { created_at: created } = await newOrder(buyer, product);
    const zone = 'Pacific/Kiritimati';
    const offsetMs = 14 * 3_600_000;
    const begin = at(`${at(created, offsetMs).slice(0, 10)}T00:00:00.000Z`, -offsetMs);
    const [row] = await salesIn('CZK', `from=${created}&time_zone=${zone}`);
    expect([row.from, row.until]).to.deep.equal([created, at(begin, dayMs)]);
    const [second] = await salesIn('CZK', `from=${at(begin, -1)}&time_zone=${zone}&days=31`);
    expect([second.from, second.until]).to.deep.equal([begin, at(begin, dayMs)]);
  });

  it('has periods that include their begin, exclude their end, and follow each other', async () => {
    const product = await productIn('NOK');
    const { created_at: created } = await newOrder(buyer, product);
    const periods = async (query: string) =>
      (await salesIn('NOK', query)).map(({ from, until }) => [from, until]);
    expect(await periods(`from=${created}`)).to.deep.equal([[created, at(created, dayMs)]]);
    expect(await periods(`from=${at(created, 1)}`)).to.deep.equal([]);
    const dayBefore = at(created, -dayMs);
    expect(await periods(`from=${dayBefore}`)).to.deep.equal([]);
    expect(await periods(`from=${at(dayBefore, 1)}`)).to.have.lengthOf(1);
    expect(await periods(`from=${dayBefore}&days=2`)).to.deep.equal([[created, at(created, dayMs)]]);
    expect(await periods(`from=${at(created, -30 * dayMs)}&days=31`)).to.deep.equal([
      [created, at(created, dayMs)],
    ]);
  });

  it('takes any offset of its first period, and shows it in UTC', async () => {
    const product = await productIn('DKK');
    const { created_at: created } = await newOrder(buyer, product);
    const midnight = `${at(created, 3_600_000).slice(0, 10)}T00:00:00`;
    const [row] = await salesIn('DKK', `from=${midnight}%2B01:00`);
    expect(row.from).to.equal(at(Instant.parse(`${midnight}+01:00`) ?? '', 0));
    expectInvalid(await staff.get(`/v1/sales?from=${midnight}+01:00`), 'from');
  });

  it('has no row where nothing was sold', async () => {
    for (const from of ['0000-01-01T00:00:00Z', '2001-01-01T00:00:00Z', '9999-11-30T23:59:59.999Z'])
      expect(await sales(staff, `from=${from}&days=31`), from).to.deep.equal([]);
  });
});
