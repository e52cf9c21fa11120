import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import type { Client, Json } from '../support/client.ts';
import { operationAt } from '../support/described.ts';
import { expectError, expectInvalid } from '../support/expectations.ts';
import { describeServiceOnEachStore, describeServiceOnMemory } from '../support/service.ts';
import { newOrder, newPaidOrder, newProduct, paymentsOf, refund } from '../support/shop.ts';

const dayMs = 86_400_000;

const at = (instant: string, milliseconds: number): string => Instant.plus(instant as Instant, milliseconds);

/** All rows of a report. */
const sales = async (reader: Client, query: string): Promise<Json[]> => {
  const { status, body, text } = await reader.get(`/v1/sales?${query}`);
  expect(status, text).to.equal(200);
  const { data, pagination, links } = body;
  expect(pagination).to.deep.equal({ next_cursor: null, has_more: false, limit: 10_000 });
  expect(links).to.deep.equal({ next: null });
  return data;
};

describeServiceOnEachStore('The report of sales', {}, (service) => {
  let staff: Client;
  let buyer: Client;
  before(async () => {
    staff = await service.person('staff');
    buyer = await service.person('customer');
  });

  const productIn = (currency: string, amount = 450) => newProduct(service, { price: { amount, currency } });

  /** The rows of one currency: each test has its own. */
  const salesIn = async (currency: string, query: string): Promise<Json[]> =>
    (await sales(staff, query)).filter((row) => row.currency === currency);

  it('has what was ordered, paid and refunded, by currency', async () => {
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
    const from = first.created_at;
    const until = at(from, dayMs);
    const none = (currency: string) => ({ amount: 0, currency });
    expect(await salesIn('CHF', `from=${from}`)).to.deep.equal([
      {
        ...{ from, until, currency: 'CHF', order_count: 3, paid_order_count: 2 },
        ...{ paid: { amount: 1_350, currency: 'CHF' }, refund_count: 1 },
        refunded: { amount: 100, currency: 'CHF' },
      },
    ]);
    expect(await salesIn('JPY', `from=${from}`)).to.deep.equal([
      {
        ...{ from, until, currency: 'JPY', order_count: 1, paid_order_count: 0, paid: none('JPY') },
        ...{ refund_count: 0, refunded: none('JPY') },
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

describeServiceOnMemory('The report of sales', {}, (service) => {
  const from = 'from=2026-03-01T00:00:00Z';

  it('is for staff whose key may read orders', async () => {
    const customer = await service.person('customer');
    expectError(await customer.get(`/v1/sales?${from}`), 'FORBIDDEN');
    // Also where the request is invalid.
    expectError(await customer.get('/v1/sales'), 'FORBIDDEN');
    const others = await service.person('staff', ['refunds:read', 'payments:read', 'events:read']);
    expectError(await others.get(`/v1/sales?${from}`), 'FORBIDDEN');
    expect(await sales(await service.person('staff', ['orders:read']), from)).to.deep.equal([]);
    expect(await sales(service.operator, from)).to.deep.equal([]);
  });

  it('needs the begin of its first period, and a number of days from 1 to 31', async () => {
    const { operator } = service;
    const invalid = async (query: string, ...fields: readonly string[]) =>
      expectInvalid(await operator.get(`/v1/sales${query}`), ...fields);
    await invalid('', 'from');
    await invalid('?days=3', 'from');
    for (const wrong of ['', '2026-03-01', '2026-02-30T00:00:00Z', '1772323200', 'today'])
      await invalid(`?from=${wrong}`, 'from');
    for (const wrong of ['', '0', '32', '-1', '1.5', '1e1', 'all', 'true'])
      await invalid(`?${from}&days=${wrong}`, 'days');
    await invalid('?from=never&days=32', 'from', 'days');
    for (const name of ['limit', 'cursor', 'sort', 'until', 'currency', 'expand'])
      await invalid(`?${from}&${name}=1`, name);
    await invalid(`?${from}&${from}`, 'from');
    await invalid('?from=9999-12-01T00:00:00Z&days=31', 'from');
  });

  it('is invalid where a sum is beyond 2^53-1', async () => {
    const price = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' };
    const product = await newProduct(service, { price });
    const buyer = await service.person('customer');
    const { created_at: first } = await newPaidOrder(buyer, product);
    const [row] = await sales(service.operator, `from=${first}`);
    expect(row.paid).to.deep.equal(price);
    await newPaidOrder(buyer, product);
    expectInvalid(await service.operator.get(`/v1/sales?from=${first}`), 'from');
  });

  it('is described with its own parameters alone, of which one is required', () => {
    const { operationId, parameters } = operationAt('GET /v1/sales');
    const query = parameters.filter((parameter) => parameter.in === 'query');
    expect(operationId).to.equal('listSales');
    expect(query.map(({ name, required }) => [name, required])).to.deep.equal([
      ['from', true],
      ['days', false],
    ]);
  });

  it('has no version', async () => {
    const { operator } = service;
    const { headers } = await operator.get(`/v1/sales?${from}`);
    expect(headers.get('ETag')).to.equal(null);
    expectError(await operator.get(`/v1/sales?${from}`, { 'If-Match': '"1"' }), 'PRECONDITION_FAILED');
  });
});
