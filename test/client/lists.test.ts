import { expect } from 'chai';
import { PorticoError } from '#adapters/http/client/index.ts';
import { describeServiceOnMemory } from '../http/support/service.ts';
import { newPaidOrder, newProduct } from '../http/support/shop.ts';
import { Shop } from './shop.ts';

describeServiceOnMemory('A list, read with the client,', {}, (service) => {
  const shop = new Shop(service);
  const { wire } = shop;
  const ids: string[] = [];

  before(async () => {
    for (let count = 0; count < 25; count += 1) ids.push((await newProduct(service)).id);
  });

  it('yields each resource once, although responses get lost', async () => {
    const customer = await shop.client();
    wire.expect('none', 'answer lost', 'none', 'bad gateway');
    const seen: string[] = [];
    for await (const { id } of customer.each('GET /products', { query: { limit: 10 } })) seen.push(id);
    expect(seen).to.deep.equal(ids);
    expect(wire.seen).to.have.length(5);
  });

  it('yields pages', async () => {
    const customer = await shop.client();
    const sizes: number[] = [];
    for await (const { data } of customer.pages('GET /products', { query: { limit: 10 } })) {
      sizes.push(data.length);
    }
    expect(sizes).to.deep.equal([10, 10, 5]);
  });

  it('is fetched only as far as it is read', async () => {
    const customer = await shop.client();
    wire.expect();
    for await (const { id } of customer.each('GET /products', { query: { limit: 10 } })) {
      if (id === ids[9]) break;
    }
    expect(wire.seen).to.have.length(1);
  });

  it('keeps its filters from page to page', async () => {
    const customer = await shop.client();
    wire.expect();
    const query = { status: 'active', limit: 10 } as const;
    for await (const _product of customer.each('GET /products', { query }));
    expect(wire.seen).to.have.length(3);
    for (const { target } of wire.seen) expect(target).to.include('status=active');
  });

  it('continues from a cursor', async () => {
    const customer = await shop.client();
    const first = await customer.send('GET /products', { query: { limit: 10 } });
    if (!first.ok || first.pagination.next_cursor === null) return expect.fail('There is more than a page.');
    const rest: string[] = [];
    const query = { limit: 10, cursor: first.pagination.next_cursor };
    for await (const { id } of customer.each('GET /products', { query })) rest.push(id);
    expect(rest).to.deep.equal(ids.slice(10));
  });

  it('that is always whole is one page', async () => {
    const { total } = await newPaidOrder(await service.person('customer'), await newProduct(service));
    const staff = await shop.client('staff');
    wire.expect();
    const query = { from: new Date(Date.now() - 3_600_000).toISOString(), days: 2 };
    const sums: number[] = [];
    for await (const { paid } of staff.each('GET /sales', { query })) sums.push(paid.amount);
    expect(sums).to.deep.equal([total.amount]);
    expect(wire.seen).to.have.length(1);
  });

  it('throws the error', async () => {
    const customer = await shop.client();
    const walk = async () => {
      for await (const _order of customer.each('GET /orders', { query: { cursor: 'nonsense' } }));
    };
    const error = await walk().catch((thrown) => thrown);
    expect(error).to.be.instanceOf(PorticoError).with.property('code', 'VALIDATION_ERROR');
  });
});
