import { expect } from 'chai';
import { checkTexts } from '#bootstrap/cli/doctor/texts.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { aProduct, aPurchase } from '../../contracts/samples.ts';
import { inStoreAt } from '../../support/store-at.ts';
import { describeOnEach } from '../support/places.ts';

describeOnEach('The doctor on stored texts', (place) => {
  const check = (limitMs = 60_000) =>
    checkTexts(readConfig({ DATABASE_URL: place.url }).database, { timeLimitMs: limitMs });

  it('says nothing before the first start', async () => {
    expect(await check()).to.deep.equal([]);
  });

  it('finds nothing wrong with texts that the rules accept', async () => {
    const { user, product } = aPurchase(aProduct({ sku: 'É-1', name: 'Thé ❤️' }));
    await inStoreAt(place.url, ({ unitOfWork }) =>
      unitOfWork.run(async ({ users, products }) => {
        await users.add(user);
        await products.add(product);
      }),
    );
    expect(await check()).to.deep.equal([
      { check: 'texts', state: 'ok', message: 'no stored text breaks a rule for new ones, in 2 rows' },
    ]);
  });

  it('lists the rows that break a rule, by their ids, and changes none', async () => {
    const { user, product, order, item, review, apiKey } = aPurchase(aProduct());
    const earlier = {
      product: { ...product, sku: 'e\u0301', name: 'Tea\u200b' },
      user: { ...user, name: '\u00a0' },
      review: { ...review, title: ' Fine' },
      apiKey: { ...apiKey, name: '\tLaptop' },
    };
    await inStoreAt(place.url, ({ unitOfWork }) =>
      unitOfWork.run(async ({ products, users, orders, orderItems, reviews, apiKeys }) => {
        await products.add(earlier.product);
        await users.add(earlier.user);
        await orders.add(order);
        await orderItems.add(item);
        await reviews.add(earlier.review);
        await apiKeys.add(earlier.apiKey);
      }),
    );
    const [finding] = await check();
    expect(finding).to.deep.equal({
      check: 'texts',
      state: 'warn',
      message:
        '4 of 6 rows have texts that break a rule for new ones: ' +
        `product ${product.id} (name must not end with an invisible character (U+200B); sku is not in its normal form), ` +
        `user ${user.id} (name must have a character that is visible), ` +
        `review ${review.id} (title must not begin with a space), ` +
        `API key ${apiKey.id} (name must not begin with white space (U+0009))`,
      remedy: 'They stay valid as they are. To correct one, send a PATCH with the new text.',
    });
    await inStoreAt(place.url, async ({ unitOfWork }) => {
      const found = await unitOfWork.read(({ products }) => products.find(product.id));
      expect(found).to.deep.equal(earlier.product);
    });
  });

  it('checks images, tags and metadata, and names fields as the API does', async () => {
    const lists = { imageUrls: ['http://example.com/1.jpg'], tags: ['Old'], metadata: { 'a b': '' } };
    const product = { ...aProduct(), ...lists };
    await inStoreAt(place.url, ({ unitOfWork }) => unitOfWork.run(({ products }) => products.add(product)));
    const [finding] = await check();
    expect(finding?.message).to.include(
      `product ${product.id} (image_urls must be an https URL, such as https://example.com/tea.jpg; ` +
        'tags must have 1 to 40 of the letters a to z, digits and hyphens; metadata must have a name of 1 to 40 ',
    );
    await inStoreAt(place.url, ({ unitOfWork }) =>
      unitOfWork.run(({ products }) => products.remove(product.id)),
    );
  });

  it('names at most five rows, and counts all', async () => {
    const more = Array.from({ length: 250 }, (_, index) => ({ ...aProduct(), name: ` ${index}` }));
    await inStoreAt(place.url, ({ unitOfWork }) => unitOfWork.run(({ products }) => products.addAll(more)));
    const [finding] = await check();
    expect(finding?.message).to.match(/^254 of 256 rows have texts .* and 249 more$/);
    expect(finding?.message).to.have.lengthOf.below(1_000);
  });

  it('stops when the time is over, and says so', async () => {
    const [finding] = await check(0);
    expect(finding?.message).to.equal(
      'no stored text breaks a rule for new ones, in the first 0 rows, all that 0 seconds allow ' +
        '(portico doctor --production reads the others, too)',
    );
  });
});
