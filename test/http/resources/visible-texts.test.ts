import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { ApiResponse } from '../support/client.ts';
import { expectCreated, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { describeService, registered } from '../support/service.ts';
import { euros, firstItem, newOrder, newPaidOrder, offered, once, tea } from '../support/shop.ts';
import { describeEmailDomain, describeSku } from './visible-texts.suite.ts';

describeSku(localKinds);
describeEmailDomain(localKinds);

/** Texts whose ends are not visible. */
const around = [
  ' Tea',
  'Tea ',
  '\tTea',
  'Tea\n',
  '\u00a0Tea',
  'Tea\u3000',
  '\u200bTea',
  'Tea\u200d',
  '\ufeffTea',
  'Tea\u2060',
];

/** Texts in which nothing is visible. */
const blank = [' ', '\u00a0\t', '\u200b', '\ufeff', '\u2800', '\u3164', '\u00ad\u200e', '\ufe0f', '\u0001'];

describeService('Texts that people cannot see', {}, (service) => {
  const customer = registered(service, 'customer');
  const product = offered(service);
  let review: string;

  before(async () => {
    const item = await firstItem(customer, await newPaidOrder(customer, product));
    const written = await customer.post('/v1/reviews', { item_id: item.id, rating: 5 });
    review = `/v1/reviews/${written.body.data.id}`;
  });

  /** Each request that writes a text which people read or look up, by the field's name. */
  const labels = (): readonly (readonly [field: string, send: (value: string) => Promise<ApiResponse>])[] => {
    const { operator } = service;
    const path = `/v1/products/${product.id}`;
    const user = `/v1/users/${customer.userId}`;
    return [
      ['name', (name) => operator.post('/v1/products', { ...tea, name })],
      ['sku', (sku) => operator.post('/v1/products', { ...tea, sku })],
      ['name', (name) => operator.patch(path, { name })],
      ['sku', (sku) => operator.patch(path, { sku })],
      ['name', (name) => operator.put(path, { ...tea, name })],
      ['sku', (sku) => operator.put(path, { ...tea, sku })],
      ['name', (name) => operator.post('/v1/users', { email: 'seen@example.com', name })],
      ['name', (name) => operator.patch(user, { name })],
      ['name', (name) => customer.post('/v1/api-keys', { name })],
      ['title', (title) => customer.patch(review, { title })],
    ];
  };

  it('are rejected around a name, an SKU and a title', async () => {
    for (const [field, send] of labels()) for (const value of around) expectInvalid(await send(value), field);
  });

  it('are rejected as a name, an SKU and a title', async () => {
    for (const [field, send] of labels()) for (const value of blank) expectInvalid(await send(value), field);
  });

  it('are rejected as a payment method', async () => {
    const order = await newOrder(customer, product);
    for (const value of blank) {
      expectInvalid(
        await customer.post('/v1/payments', { order_id: order.id, payment_method: value }, once()),
        'payment_method',
      );
    }
  });

  it('are accepted where a text may be empty', async () => {
    for (const value of [...around, ...blank]) {
      expectOne(await service.operator.patch(`/v1/products/${product.id}`, { description: value }));
      expectOne(await customer.patch(review, { body: value }));
    }
    expectOne(await customer.patch(review, { title: '' }));
  });

  it('are named by an error that says what to do', async () => {
    const { body } = await service.operator.post('/v1/products', { ...tea, name: 'Tea\u200b', sku: ' TEA' });
    expect(body.error.details).to.deep.equal([
      { field: 'name', message: 'must not end with an invisible character (U+200B)' },
      { field: 'sku', message: 'must not begin with a space' },
    ]);
  });

  it('are accepted in the middle of a text, and as the end of an emoji', async () => {
    for (const name of ['می\u200cخواهم', 'Te\u00ada', '❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'a\tb']) {
      const response = await service.operator.post('/v1/products', { name, price: euros(1) });
      expect(expectCreated(response, '/v1/products').name).to.equal(name);
    }
  });
});

describeService('A list of users filtered by what is no e-mail address', {}, (service) => {
  for (const query of [
    'ada',
    '',
    'ada%40',
    '%40b',
    'a%20b%40example.com',
    'ada%40example.com%20',
    'Ada%20%3Cada%40b%3E',
    'ada%40b%C3%BCcher..example',
    'ad%C3%A1%40example.com',
    'ada%40example.com%E2%80%8B',
    '%EF%BB%BFada%40example.com',
  ]) {
    it(`is rejected (${query})`, async () => {
      expectInvalid(await service.operator.get(`/v1/users?email=${query}`), 'email');
    });
  }

  it('says how a plus is written', async () => {
    const { body } = await service.operator.get('/v1/users?email=ada+tea@example.com');
    expect(body.error.details[0].message).to.equal(
      'must be an e-mail address; in a URL a plus is written %2B',
    );
    expectList(await service.operator.get('/v1/users?email=ada%2Btea@example.com'));
    const unicode = await service.operator.get('/v1/users?email=ada+tea@b%C3%BCcher.example');
    expect(unicode.body.error.details[0].message).to.match(/; in a URL a plus is written %2B$/);
    const other = await service.operator.get('/v1/users?email=ada%C2%A0tea@example.com');
    expect(other.body.error.details[0].message).to.equal('must have only ASCII characters before the @');
  });
});
