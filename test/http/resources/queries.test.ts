import { expect } from 'chai';
import { expectProblem } from '../support/protocol.ts';
import { describeService, describeServiceOnMemory } from '../support/service.ts';
import { newProduct } from '../support/shop.ts';

describeServiceOnMemory('The limit of a page', {}, (service) => {
  const limitOf = async (query: string): Promise<number> => {
    const response = await service.operator.get(`/v1/products${query}`);
    expect(response.status, response.text).to.equal(200);
    return response.body.pagination.limit;
  };

  it('is 20 by default, and 100 at most', async () => {
    expect(await limitOf('')).to.equal(20);
    expect(await limitOf('?limit=1')).to.equal(1);
    expect(await limitOf('?limit=100')).to.equal(100);
    expect(await limitOf('?limit=101')).to.equal(100);
    expect(await limitOf('?limit=1000000000')).to.equal(100);
    expect(await limitOf(`?limit=${'9'.repeat(400)}`)).to.equal(100);
    expect(await limitOf('?li%6Dit=%37')).to.equal(7);
  });

  for (const limit of [
    '0',
    '-1',
    '1.5',
    '1e2',
    '1e9',
    '',
    'ten',
    'NaN',
    'Infinity',
    '0x10',
    '+5',
    '%2B5',
    '%205',
    '5%20',
    '5%00',
    '1,2',
    '１',
    'null',
    '5;',
  ]) {
    it(`cannot be ${limit || 'empty'}`, async () => {
      const response = await service.operator.get(`/v1/products?limit=${limit}`);
      expectProblem(response, '422 VALIDATION_ERROR', ['limit']);
    });
  }

  it('must be given only once', async () => {
    for (const query of ['limit=1&limit=2', 'limit=1&limit=1', 'limit=1&li%6dit=1', 'limit&limit']) {
      const response = await service.operator.get(`/v1/products?${query}`);
      expectProblem(response, '422 VALIDATION_ERROR', ['limit']);
    }
  });
});

describeServiceOnMemory('A parameter', {}, (service) => {
  for (const name of [
    'page',
    'offset',
    'after_id',
    'Limit',
    'limit[]',
    'sort',
    '__proto__',
    'constructor',
    '',
  ]) {
    it(`named “${name}” is rejected in a list`, async () => {
      const response = await service.operator.get(`/v1/products?${encodeURIComponent(name)}=1`);
      expectProblem(response, '422 VALIDATION_ERROR', [name]);
    });
  }

  it('may be empty between ampersands', async () => {
    expect((await service.operator.get('/v1/products?')).status).to.equal(200);
    expect((await service.operator.get('/v1/products?&&limit=3&')).body.pagination.limit).to.equal(3);
  });
});

describeService('A filter', {}, (service) => {
  it('that is no order number, and no external id, is rejected', async () => {
    for (const [path, name] of [
      ['/v1/orders?number=1', 'number'],
      ['/v1/orders?number=7K3M-9QXA', 'number'],
      [`/v1/orders?number=${'0'.repeat(5000)}`, 'number'],
      ['/v1/orders?external_id=a%20b', 'external_id'],
      ['/v1/users?external_id=%C3%A9', 'external_id'],
    ] as const) {
      expectProblem(await service.operator.get(path), '422 VALIDATION_ERROR', [name]);
    }
  });

  it('with invalid percent-encoding is a bad request', async () => {
    for (const text of ['%', '%zz', '%ff', '%c0%af', '%ed%a0%80', '%f4%90%80%80']) {
      expectProblem(await service.operator.get(`/v1/products?sku=${text}`), '400 BAD_REQUEST');
      expectProblem(await service.operator.get(`/v1/products?${text}=1`), '400 BAD_REQUEST');
    }
  });

  it('can encode a space as a plus, and a plus as %2B', async () => {
    const spaced = await newProduct(service, { sku: 'a b' });
    const added = await newProduct(service, { sku: 'a+b' });
    for (const [query, { id }] of [
      ['a+b', spaced],
      ['a%20b', spaced],
      ['a%2Bb', added],
    ] as const) {
      const { body } = await service.operator.get(`/v1/products?sku=${query}`);
      expect(body.data.map((product: { readonly id: string }) => product.id)).to.deep.equal([id]);
    }
  });
});
