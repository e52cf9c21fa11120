import { expect } from 'chai';
import { aPurchase, type Purchase } from '../../contracts/samples.ts';
import { isKept } from '../../support/test-databases.ts';
import { expectInvalid, expectList, expectOne, idsOf } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';

/** What the rules for texts reject or change, stored before there were rules. */
const name = '\u00a0Tea\u200b';
const sku = ' cafe\u0301';
const title = '\ufeff';

export const describeEarlierTexts = serviceSuite('A text from before its rule', {}, (service, kind) => {
  if (!isKept(kind)) return;
  let earlier: Purchase;

  before(async () => {
    const { product, review, user, ...others } = aPurchase();
    earlier = {
      ...others,
      product: { ...product, name, sku },
      review: { ...review, title },
      user: { ...user, name, role: 'admin' },
    };
    await service.whileStopped(({ unitOfWork }) =>
      unitOfWork.run(async ({ products, users, orders, orderItems, reviews }) => {
        await products.add(earlier.product);
        await users.add(earlier.user);
        await orders.add(earlier.order);
        await orderItems.add(earlier.item);
        await reviews.add(earlier.review);
      }),
    );
  });

  it('is shown as it is, and accepted when it is sent back', async () => {
    const { operator } = service;
    for (const [path, sent] of [
      [`/v1/products/${earlier.product.id}`, { name, sku, description: 'Mild' }],
      [`/v1/users/${earlier.user.id}`, { name, role: 'staff' }],
    ] as const) {
      expect(expectOne(await operator.get(path))).to.include({ name });
      expect(expectOne(await operator.patch(path, sent))).to.include(sent);
    }
    const path = `/v1/products/${earlier.product.id}`;
    const {
      id: _,
      version: _version,
      created_at: _created,
      updated_at: _updated,
      ...whole
    } = expectOne(await operator.get(path));
    expect(expectOne(await operator.put(path, { ...whole, stock: 3 }))).to.include({ name, sku, stock: 3 });
    const review = `/v1/reviews/${earlier.review.id}`;
    expect(expectOne(await operator.get(review))).to.include({ title });
  });

  it('cannot become another one that breaks the rule', async () => {
    const path = `/v1/products/${earlier.product.id}`;
    for (const [field, value] of [
      ['name', `${name} `],
      ['name', sku],
      ['sku', ` ${sku}`],
      ['sku', sku.normalize('NFC')],
    ] as const) {
      expectInvalid(await service.operator.patch(path, { [field]: value }), field);
    }
    expectInvalid(await service.operator.patch(`/v1/users/${earlier.user.id}`, { name: ' ' }), 'name');
  });

  it('is found by the filter sku as it is stored, before the one in normal form', async () => {
    const { operator } = service;
    const find = async (value: string) =>
      idsOf(expectList(await operator.get(`/v1/products?sku=${encodeURIComponent(value)}`)));
    expect(await find(sku)).to.deep.equal([earlier.product.id]);
    expect(await find(sku.normalize('NFC'))).to.deep.equal([]);
    expect(await find(sku.trim())).to.deep.equal([]);
    const { body } = await operator.post('/v1/products', {
      name: 'Tea',
      price: { amount: 1, currency: 'EUR' },
      sku: sku.trim(),
    });
    expect(body.data.sku).to.equal('café');
    for (const form of ['cafe\u0301', 'café']) expect(await find(form)).to.deep.equal([body.data.id]);
    expect(await find(sku)).to.deep.equal([earlier.product.id]);
  });
});
