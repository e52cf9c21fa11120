import { expect } from 'chai';
import fc from 'fast-check';
import { label } from '#domain/text.ts';
import type { Json } from '../support/client.ts';
import { naughty } from '../support/naughty.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeService, type Service } from '../support/service.ts';
import { euros, firstItem, newPaidOrder, newProduct, tea } from '../support/shop.ts';

/** Any sequence of UTF-16 units, with lone surrogates and NUL among them. */
const units = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), {
    maxLength: 40,
  })
  .map((codes) => String.fromCharCode(...codes));

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme' }),
  units,
);

const isKept = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

describeService('Texts', {}, (service) => {
  for (const [what, texts] of Object.entries(naughty)) {
    it(`${what} are returned unchanged`, async () => {
      for (const name of texts) {
        const shown = visible(name);
        const { status, body } = await service.operator.post('/v1/products', {
          name: shown,
          price: euros(1),
          description: name,
        });
        expect(status, name).to.equal(201);
        const { data } = (await service.operator.get(`/v1/products/${body.data.id}`)).body;
        expect(data).to.include({ name: shown, description: name });
      }
    });
  }

  it('of any kind are returned unchanged, or rejected', async () => {
    const { id } = await newProduct(service);
    const keepsOrRejects = async (description: string): Promise<void> => {
      const response = await service.operator.patch(`/v1/products/${id}`, { description });
      if (!isKept(description)) return expectProblem(response, '422 VALIDATION_ERROR', ['description']);
      expect(response.body.data?.description, response.text).to.equal(description);
      const { data } = (await service.operator.get(`/v1/products/${id}`)).body;
      expect(data.description).to.equal(description);
    };
    await fc.assert(fc.asyncProperty(anyText, keepsOrRejects), { numRuns: 150 });
  });

  for (const [what, text] of Object.entries({
    NUL: 'a\0b',
    'NUL alone': '\0',
    'half a surrogate pair': 'a\ud83d',
    'the other half': '\ude00b',
    'a pair the wrong way round': '\ude00\ud83d',
  })) {
    it(`with ${what} are rejected in every text field`, async () => {
      const fields = { ...tea, name: text, description: text, sku: text };
      expectProblem(await service.operator.post('/v1/products', fields), '422 VALIDATION_ERROR', [
        'name',
        'description',
        'sku',
      ]);
      const user = { email: 'someone@example.com', name: text };
      expectProblem(await service.operator.post('/v1/users', user), '422 VALIDATION_ERROR', ['name']);
      const key = { name: text };
      expectProblem(await service.operator.post('/v1/api-keys', key), '422 VALIDATION_ERROR', ['name']);
    });
  }

  it('of all kinds are found by a filter, and only they', async () => {
    const ids = new Map<string, string>();
    for (const sku of new Set(skus())) ids.set(sku, (await newProduct(service, { sku })).id);
    for (const [sku, id] of ids) {
      const { body } = await service.operator.get(`/v1/products?sku=${encodeURIComponent(sku)}`);
      expect(
        body.data.map((product: Json) => product.id),
        sku,
      ).to.deep.equal([id]);
    }
  });

  it('are compared exactly', async () => {
    const likes = ['a', 'A', 'a a', 'a  a', 'ａ', 'á', 'ä', 'à', 'ª', 'ß', 'ss', 'i', 'ı', 'İ'];
    for (const sku of likes) await newProduct(service, { sku: `like-${sku}` });
    const again = await service.operator.post('/v1/products', { ...tea, sku: 'like-A' });
    expectProblem(again, '409 CONFLICT');
  });

  it('are stored in reviews, users and keys as well', async () => {
    const review = await newReview(service);
    const customer = await service.person('customer');
    for (const text of Object.values(naughty).flatMap((texts) => texts.slice(-4, -1))) {
      const words = { title: visible(text.slice(0, 60).toWellFormed()), body: text };
      const { body } = await review.change(words);
      expect(body.data).to.include(words);
      const renamed = await service.operator.patch(`/v1/users/${customer.userId}`, {
        name: visible(text),
      });
      expect(renamed.body.data.name).to.equal(visible(text));
      const issued = await customer.post('/v1/api-keys', { name: visible(text) });
      const kept = await customer.get(issued.headers.get('Location') ?? '');
      expect(kept.body.data.name).to.equal(visible(text));
    }
  });
});

/** The same text, or between brackets where a name may not have its ends. */
const visible = (text: string): string =>
  label(1, 1_000).violation(text) === undefined ? text : `[${text}]`;

/** The naughty strings that fit into a sku. */
const skus = (): string[] =>
  Object.values(naughty)
    .flat()
    .map((text) => visible(text).normalize('NFC'))
    .filter((text) => [...text].length <= 64);

const newReview = async (service: Service) => {
  const buyer = await service.person('customer');
  const item = await firstItem(buyer, await newPaidOrder(buyer, await newProduct(service)));
  const { body } = await buyer.post('/v1/reviews', { item_id: item.id, rating: 5 });
  return { change: (words: object) => buyer.patch(`/v1/reviews/${body.data.id}`, words) };
};
