import { expect } from 'chai';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { tea } from '../support/shop.ts';

export const describeSku = serviceSuite('An SKU', {}, (service) => {
  it('is kept in NFC, in which it is unique and is found in whatever form it is given', async () => {
    const created = await service.operator.post('/v1/products', { ...tea, sku: 'CAFE\u0301-1' });
    const { id, sku } = expectCreated(created, '/v1/products');
    expect(sku).to.equal('CAFÉ-1');
    expectError(await service.operator.post('/v1/products', { ...tea, sku: 'CAFÉ-1' }), 'CONFLICT', ['sku']);
    expectError(await service.operator.post('/v1/products', { ...tea, sku: 'CAFE\u0301-1' }), 'CONFLICT', [
      'sku',
    ]);
    for (const form of ['CAFE\u0301-1', 'CAFÉ-1']) {
      const found = await service.operator.get(`/v1/products?sku=${encodeURIComponent(form)}`);
      expect(idsOf(expectList(found))).to.deep.equal([id]);
    }
    expect(expectOne(await service.operator.patch(`/v1/products/${id}`, { sku: 'THE\u0301' })).sku).to.equal(
      'THÉ',
    );
  });
});

export const describeEmailDomain = serviceSuite(
  'An e-mail address with a domain outside ASCII',
  {},
  (service) => {
    const post = (email: string) => service.operator.post('/v1/users', { email, name: 'Ada' });

    it('is kept in ASCII, in which it is unique and is found in whatever form it is given', async () => {
      const { id, email } = expectCreated(await post('Ada@Bücher.example'), '/v1/users');
      expect(email).to.equal('ada@xn--bcher-kva.example');
      expectError(await post('ada@BU\u0308CHER.example'), 'CONFLICT', ['email']);
      expectError(await post('ada@xn--bcher-kva.example'), 'CONFLICT', ['email']);
      for (const form of ['ADA@bücher.example', 'ada@bu\u0308cher.example', 'ada@XN--bcher-kva.example']) {
        const found = await service.operator.get(`/v1/users?email=${encodeURIComponent(form)}`);
        expect(idsOf(expectList(found))).to.deep.equal([id]);
      }
      const changed = await service.operator.patch(`/v1/users/${id}`, { email: 'ada@例え.テスト' });
      expect(expectOne(changed).email).to.equal('ada@xn--r8jz45g.xn--zckzah');
    });

    const messages: readonly (readonly [string, string])[] = [
      ['ädä@example.com', 'must have only ASCII characters before the @'],
      ['ada@ü..example', 'must be an e-mail address whose domain has an ASCII form (UTS 46)'],
      ['ada@ü/example', 'must be an e-mail address'],
    ];
    for (const [given, message] of messages) {
      it(`is not ${given}, and the response says why`, async () => {
        const response = await post(given);
        expectInvalid(response, 'email');
        expect(response.body.error.details[0].message).to.equal(message);
        expectInvalid(await service.operator.get(`/v1/users?email=${encodeURIComponent(given)}`), 'email');
      });
    }
  },
);
