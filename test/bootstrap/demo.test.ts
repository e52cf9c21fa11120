import { expect } from 'chai';
import { type Served, serve } from '../docs/served.ts';
import { Client, type Json } from '../http/support/client.ts';

describe('The demonstration', () => {
  let shop: Served;
  let admin: Client;
  before(async () => {
    shop = await serve();
    const keys = (await (await fetch(`${shop.url}/docs/keys.json`)).json()) as Json;
    admin = new Client(() => shop.apiUrl, keys.admin);
  });
  after(() => shop.close());

  it('has products with tags, an image and most with a tax rate', async () => {
    const { data } = (await admin.get('/v1/products?limit=100')).body;
    expect(data).to.have.length.above(20);
    for (const { sku, tags, image_urls } of data) {
      expect(tags, sku).to.have.length.above(0);
      expect(image_urls, sku).to.deep.equal([`https://example.com/images/${sku.toLowerCase()}.jpg`]);
    }
    expect(data.filter(({ tax_rate }: Json) => tax_rate !== null)).to.have.length.above(20);
    const espresso = (await admin.get('/v1/products?tag=espresso')).body.data;
    expect(espresso).to.have.lengthOf(4);
  });

  it('sells every product by the piece', async () => {
    const { data } = (await admin.get('/v1/products?limit=100')).body;
    for (const { sku, quantity_step } of data) expect(quantity_step, sku).to.equal(1);
  });

  it('has orders with addresses, shipping and taxes', async () => {
    const orders: Json[] = (await admin.get('/v1/orders')).body.data;
    for (const order of orders) expect(order.shipping_address.city).to.be.a('string');
    const shipped = orders.filter(({ shipping }) => shipping.amount > 0);
    expect(shipped).not.to.deep.equal([]);
    for (const { taxes, shipping_tax_rate, metadata } of shipped) {
      expect(taxes.map(({ rate }: Json) => rate)).to.include(shipping_tax_rate);
      expect(metadata).to.deep.equal({ carrier: 'Post' });
    }
    expect(orders.some(({ taxes }) => taxes.length === 2)).to.equal(true);
  });

  it('has an order of several items at once', async () => {
    const orders: Json[] = (await admin.get('/v1/orders')).body.data;
    const several = orders.filter(({ item_count }) => item_count > 1);
    expect(several.map(({ item_count, status }) => [item_count, status])).to.deep.equal([[3, 'pending']]);
  });

  it('has a payment in cash beside those of the sandbox, and a change of a stock', async () => {
    const payments: Json[] = (await admin.get('/v1/payments')).body.data;
    expect(new Set(payments.map(({ status }) => status))).to.deep.equal(new Set(['succeeded']));
    expect(payments.filter(({ provider }) => provider === 'sandbox')).not.to.deep.equal([]);
    const offline = payments.filter(({ provider }) => provider === 'offline');
    expect(offline.map((payment) => payment.provider_reference)).to.deep.equal(['Receipt 2026-0117']);
    const changes: Json[] = (await admin.get('/v1/stock-changes')).body.data;
    expect(changes.map(({ reason }) => reason)).to.deep.equal(['Broken in transport']);
  });
});
