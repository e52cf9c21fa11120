import { expect } from 'chai';
import { expectProblem } from '../support/protocol.ts';
import { describeService } from '../support/service.ts';
import { newProduct, nowhere } from '../support/shop.ts';

/** JSON as text, because JavaScript would round or reject some of these numbers. */
const productWith = (field: string, number: string): string =>
  field === 'stock'
    ? `{"name":"Tea","price":{"amount":1,"currency":"EUR"},"stock":${number}}`
    : `{"name":"Tea","price":{"amount":${number},"currency":"EUR"}}`;

const noNumbers = ['"5"', '""', 'true', '[]', '[5]', '{}', '1e400', '-1e400', '-0', '-0.0', '-1'];

const rejectedNumbers = {
  'price.amount': [
    ...noNumbers,
    'null',
    '9007199254740992',
    '9007199254740993',
    '1.5',
    '0.1',
    '1e-2',
    '1.0000000000000000001',
    '9007199254740990.6',
    '1e-400',
  ],
  stock: [
    ...noNumbers,
    '1.0005',
    '0.0001',
    '1000000.001',
    '1e7',
    '9007199254740993',
    '1.0000000000000001',
    '1e-400',
  ],
};

const acceptedNumbers: Readonly<
  Record<keyof typeof rejectedNumbers, Readonly<Record<string, number | null>>>
> = {
  'price.amount': {
    0: 0,
    '1e2': 100,
    '1E+2': 100,
    '100.0': 100,
    '9007199254740991': 2 ** 53 - 1,
    '1.00000000000000000000': 1,
  },
  stock: {
    0: 0,
    '1.5': 1.5,
    '0.001': 0.001,
    '1e3': 1000,
    '1000000': 1_000_000,
    null: null,
    '4.35': 4.35,
    '100000000000000e-14': 1,
  },
};

describeService('Numbers', {}, (service) => {
  for (const field of ['price.amount', 'stock'] as const) {
    for (const number of rejectedNumbers[field]) {
      it(`such as ${number} are rejected as ${field}`, async () => {
        const response = await service.operator.post('/v1/products', productWith(field, number));
        expectProblem(response, '422 VALIDATION_ERROR', [field]);
      });
    }

    for (const [number, value] of Object.entries(acceptedNumbers[field])) {
      it(`such as ${number} are stored as ${field}`, async () => {
        const { status, body } = await service.operator.post('/v1/products', productWith(field, number));
        expect(status, JSON.stringify(body)).to.equal(201);
        const { data } = (await service.operator.get(`/v1/products/${body.data.id}`)).body;
        expect(field === 'stock' ? data.stock : data.price.amount).to.equal(value);
      });
    }
  }

  for (const number of [
    '0',
    '0.0',
    '0.0001',
    '1000000.5',
    '1e400',
    '"1"',
    'null',
    '-0',
    '-1',
    '[1]',
    '1.0000000000000001',
  ]) {
    it(`such as ${number} are rejected as a quantity`, async () => {
      const body = `{"product_id":"${nowhere}","quantity":${number}}`;
      const response = await service.operator.post('/v1/orders', body);
      expectProblem(response, '422 VALIDATION_ERROR', ['quantity']);
    });
  }

  for (const [number, message] of [
    ['9007199254740993', 'must be at most 1000000'],
    ['1e400', 'must be at most 1000000'],
    ['-1e400', 'must be greater than 0'],
    ['-1e-400', 'must be greater than 0'],
    ['1e-400', 'must have at most three decimals'],
    ['1.0000000000000001', 'must have at most three decimals'],
  ] as const) {
    it(`such as ${number}, which a double cannot hold, are told what is wrong with them: ${message}`, async () => {
      const body = `{"product_id":"${nowhere}","quantity":${number}}`;
      const { body: ordered } = await service.operator.post('/v1/orders', body);
      expect(ordered.error.details).to.deep.equal([{ field: 'quantity', message }]);
      if (number.startsWith('-')) return;
      const product = `{"name":"Tea","price":{"amount":1,"currency":"EUR"},"tax_rate":${number}}`;
      const rate = (await service.operator.post('/v1/products', product)).body.error.details;
      const ofRate = message.startsWith('must be at most') ? 'must be from 0 to 100' : message;
      expect(rate).to.deep.equal([{ field: 'tax_rate', message: ofRate }]);
    });
  }

  it('that a double cannot hold are told what is wrong with them in a query, too', async () => {
    const { body } = await service.operator.get('/v1/products?stock_below=9007199254740993');
    expect(body.error.details).to.deep.equal([{ field: 'stock_below', message: 'must be at most 1000000' }]);
  });

  for (const number of ['+1', '.5', '1.', '0x10', '1_000', 'Infinity', '１', '1e']) {
    it(`such as ${number} are not JSON`, async () => {
      const response = await service.operator.post('/v1/products', productWith('stock', number));
      expectProblem(response, '400 BAD_REQUEST');
    });
  }

  it('with up to three decimals can be ordered, and their sums are exact', async () => {
    const { id } = await newProduct(service, { price: { amount: 1999, currency: 'EUR' }, stock: 0.3 });
    const order = await service.operator.post('/v1/orders', `{"product_id":"${id}","quantity":1e-1}`);
    expect(order.body.data.total.amount).to.equal(200);
    expect((await service.operator.get(`/v1/products/${id}`)).body.data.stock).to.equal(0.2);
  });
});
