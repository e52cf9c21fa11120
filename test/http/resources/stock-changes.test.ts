import { expect } from 'chai';
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
import { describeLimits, describeReadOnly, type Limits, orNull, textLimit } from '../support/limits.ts';
import { isReplay } from '../support/replays.ts';
import { describeService } from '../support/service.ts';
import { newProduct, nowhere, once, stockOf } from '../support/shop.ts';

const limits: Limits = {
  change: {
    accepts: [0.001, 1, 1.005, 400_000.125, -0.001, -1.5, -400_000.125],
    rejects: [0, 0.0001, -0.0001, -1.0005, 1_000_000.001, -1_000_000.001, 1e300, '1', true, [1], {}, null],
  },
  reason: orNull(textLimit(0, 200)),
};

const readOnly = ['stock_after'];

describeService('Stock changes', {}, (service) => {
  let staff: Client;
  let tea: Json;

  before(async () => {
    staff = await service.person('staff');
    tea = await newProduct(service, { stock: 500_000 });
  });

  const change = (fields: object) =>
    staff.post('/v1/stock-changes', { product_id: tea.id, change: 1, ...fields });

  it('change the stock and the version of their product', async () => {
    const coffee = await newProduct(service, { stock: 10 });
    const fields = { product_id: coffee.id, change: -2.5, reason: 'Broken' };
    const made = expectCreated(await change(fields), '/v1/stock-changes');
    const { id, version, created_at, updated_at, ...rest } = made;
    expect({ version, updated_at }).to.deep.equal({ version: 1, updated_at: created_at });
    expect(rest).to.deep.equal({ ...fields, stock_after: 7.5 });
    expect(expectOne(await staff.get(`/v1/stock-changes/${id}`))).to.deep.equal(made);
    const after = expectOne(await staff.get(`/v1/products/${coffee.id}`));
    expect(after).to.include({ stock: 7.5, version: 2 });
    expect((await staff.get(`/v1/products/${coffee.id}`, { 'If-None-Match': '"1"' })).status).to.equal(200);
  });

  describeLimits(limits, { change: 1 }, (body) => change(body));
  describeReadOnly(readOnly, { change: 1 }, (body) => change(body));

  it('need a product and a change', async () => {
    expectInvalid(await staff.post('/v1/stock-changes', {}), 'product_id', 'change');
    expectInvalid(await change({ product_id: 'tea' }), 'product_id');
    expectInvalid(await change({ product_id: null }), 'product_id');
    expectError(await change({ product_id: nowhere }), 'PRODUCT_NOT_FOUND');
  });

  it('reject numbers that JSON can write and no quantity is', async () => {
    for (const number of ['-0', '-0.0', '0e5', '1e400', '-1e400', '1.0000000000000001', '9007199254740993']) {
      const body = `{"product_id":"${tea.id}","change":${number}}`;
      const response = await staff.send('POST', '/v1/stock-changes', body);
      expectInvalid(response, 'change');
    }
  });

  it('leave a stock from 0 to 1000000', async () => {
    const { id: product_id } = await newProduct(service, { stock: 1 });
    expectError(await change({ product_id, change: -1.001 }), 'OUT_OF_STOCK');
    expectInvalid(await change({ product_id, change: 1_000_000 }), 'change');
    expect(expectCreated(await change({ product_id, change: -1 }), '/v1/stock-changes').stock_after).to.equal(
      0,
    );
    expect(
      expectCreated(await change({ product_id, change: 1e6 }), '/v1/stock-changes').stock_after,
    ).to.equal(1_000_000);
  });

  it('need a counted stock', async () => {
    const { id: product_id } = await newProduct(service, { stock: null });
    expectError(await change({ product_id }), 'INVALID_STATE');
  });

  it('can be listed by product, and outlive it', async () => {
    const { id: product_id } = await newProduct(service, { stock: 1 });
    const made = expectCreated(await change({ product_id }), '/v1/stock-changes');
    expectNoContent(await service.operator.delete(`/v1/products/${product_id}`));
    expect(expectList(await staff.get(`/v1/stock-changes?product_id=${product_id}`))).to.deep.equal([made]);
    expect(expectList(await staff.get(`/v1/stock-changes?product_id=${nowhere}`))).to.deep.equal([]);
    expect(idsOf(expectList(await staff.get('/v1/stock-changes?limit=100')))).to.include(made.id);
  });

  it('are neither changed nor deleted', async () => {
    const { id } = expectCreated(await change({}), '/v1/stock-changes');
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const response = await staff.send(
        method,
        `/v1/stock-changes/${id}`,
        method === 'DELETE' ? undefined : {},
      );
      expect(response.status).to.equal(405);
      expect(response.headers.get('Allow')).to.equal('OPTIONS, HEAD, GET');
    }
  });

  it('are shown to no visitor of a web page, whose key is publishable', async () => {
    const fields = { name: 'Page', publishable: true };
    const { token } = expectCreated(await service.operator.post('/v1/api-keys', fields), '/v1/api-keys');
    const visitor = new Client(() => service.url, token);
    expectOne(await visitor.get(`/v1/products/${tea.id}`));
    expectError(await visitor.get('/v1/stock-changes'), 'FORBIDDEN');
  });

  it('are listed with the newest first on request', async () => {
    const { id: product_id } = await newProduct(service, { stock: 1 });
    for (const by of [1, 2]) expectCreated(await change({ product_id, change: by }), '/v1/stock-changes');
    const { body } = await staff.get(`/v1/stock-changes?product_id=${product_id}&sort=-id`);
    expect(body.data.map((one: Json) => one.change)).to.deep.equal([2, 1]);
  });

  it('happen once for a key', async () => {
    const { id: product_id } = await newProduct(service, { stock: 1 });
    const key = once();
    const send = () => staff.post('/v1/stock-changes', { product_id, change: 1 }, key);
    const [first, again] = [await send(), await send()];
    expect(isReplay(first)).to.equal(false);
    expect(isReplay(again)).to.equal(true);
    expect(again.text).to.equal(first.text);
    expect(await stockOf(service, { id: product_id })).to.equal(2);
  });
});
