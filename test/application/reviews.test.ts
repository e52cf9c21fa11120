import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { OrderItemId } from '#domain/order.ts';
import type { Review, ReviewDetails, ReviewId } from '#domain/review.ts';
import { rejectionOf } from '../contracts/harness.ts';
import { newId } from '../support/machine.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

const praise: ReviewDetails = { rating: 5, title: 'Mild', body: null };

describe('Reviews', () => {
  const world = ofEachTest(aWorld);
  let bought: OrderItemId;
  beforeEach(async () => {
    const { order } = await world.purchase(await world.product());
    bought = (await world.firstItem(order)).id;
  });

  const write = (
    caller: Caller,
    itemId: OrderItemId,
    details: Partial<ReviewDetails> = {},
  ): Promise<Review> => world.run(world.useCases.reviews.write, caller, { itemId, ...praise, ...details });

  const change = (
    caller: Caller,
    id: ReviewId,
    changes: Partial<ReviewDetails>,
    expectedVersions?: readonly number[],
  ) => world.run(world.useCases.reviews.change, caller, { id, changes, expectedVersions });

  const remove = (caller: Caller, id: ReviewId, expectedVersions?: readonly number[]): Promise<void> =>
    world.run(world.useCases.reviews.remove, caller, { id, expectedVersions });

  it('belong to an item that the author has bought', async () => {
    const review = await write(world.ada, bought);
    const item = await world.current('orderItems', { id: bought });
    expect(review).to.deep.include({
      ...praise,
      itemId: bought,
      productId: item.productId,
      userId: world.ada.userId,
      version: 1,
    });
    expect(await world.find('reviews', review)).to.deep.equal(review);
  });

  it('are written by the buyer only, not even by staff', async () => {
    expect(await kindOf(write(world.bob, bought))).to.equal('forbidden');
    expect(await kindOf(write(world.admin, bought))).to.equal('forbidden');
  });

  it('need an existing item, then its owner, then a paid order', async () => {
    const unpaid = await world.firstItem(await world.order(world.ada, await world.product()));
    expect(await kindOf(write(world.bob, nowhere()))).to.equal('not-found');
    expect(await kindOf(write(world.bob, unpaid.id))).to.equal('forbidden');
    expect(await kindOf(write(world.ada, unpaid.id))).to.equal('invalid-state');
  });

  it('cannot be written when the order was canceled', async () => {
    const order = await world.order(world.ada, await world.product());
    const { id } = await world.firstItem(order);
    await world.become(world.ada, order, 'canceled');
    expect(await kindOf(write(world.ada, id))).to.equal('invalid-state');
  });

  it('can be written when the order was fulfilled, but not when it was refunded', async () => {
    const product = await world.product();
    const returned = await world.purchase(product);
    await world.refund(world.staff, returned.payment);
    expect(await kindOf(write(world.ada, (await world.firstItem(returned.order)).id))).to.equal(
      'invalid-state',
    );
    const kept = await world.purchase(product);
    await world.become(world.staff, kept.order, 'fulfilled');
    const { id } = await world.firstItem(kept.order);
    expect(await write(world.ada, id)).to.include({ itemId: id });
  });

  it('are one of a product by a user, through whatever order, and another after the first is removed', async () => {
    const product = await world.product();
    const items: OrderItemId[] = [];
    for (let order = 0; order < 2; order += 1)
      items.push((await world.firstItem((await world.purchase(product)).order)).id);
    const [first = bought, second = bought] = items;
    const review = await write(world.ada, first);
    expect(await rejectionOf(write(world.ada, second))).to.deep.include({
      kind: 'conflict',
      fieldErrors: [{ field: 'itemId', message: 'is of a product that this user has reviewed already' }],
    });
    expect(await invalidFieldsOf(write(world.ada, first))).to.deep.equal(['itemId']);
    expect(await write(world.ada, bought)).to.include({ itemId: bought });
    await remove(world.ada, review.id);
    expect(await write(world.ada, second)).to.include({ itemId: second });
    expect(await kindOf(write(world.ada, first))).to.equal('conflict');
  });

  it('of before that are several of one product stay, and can be changed and removed', async () => {
    const review = await write(world.ada, bought);
    const another = await world.firstItem((await world.purchase(await world.product())).order);
    const second: Review = { ...review, id: newId(), itemId: another.id, userProduct: null };
    await world.unitOfWork.run(({ reviews }) => reviews.add(second));
    expect(await change(world.ada, second.id, { rating: 1 })).to.include({ rating: 1, userProduct: null });
    await remove(world.ada, second.id);
    expect(await kindOf(write(world.ada, bought))).to.equal('conflict');
  });

  it('outlive their product', async () => {
    const review = await write(world.ada, bought);
    await world.run(world.useCases.products.remove, world.staff, {
      id: review.productId,
      expectedVersions: undefined,
    });
    expect(await world.find('reviews', review)).to.deep.equal(review);
  });

  it('that violate a rule are rejected, new or changed', async () => {
    expect(await invalidFieldsOf(write(world.ada, bought, { rating: 6 }))).to.deep.equal(['rating']);
    const { id } = await write(world.ada, bought);
    expect(await invalidFieldsOf(change(world.ada, id, { rating: 0 }))).to.deep.equal(['rating']);
  });

  it('are read by every role', async () => {
    const review = await write(world.ada, bought);
    const { get, list } = world.useCases.reviews;
    expect(await world.read(get, world.bob, review.id)).to.deep.equal(review);
    expect(await kindOf(world.read(get, world.bob, nowhere<ReviewId>()))).to.equal('not-found');
    const found = async (filter: object) => (await world.read(list, world.bob, { filter, page })).rows;
    expect(await found({})).to.deep.equal([review]);
    expect(await found({ itemId: bought })).to.deep.equal([review]);
    expect(await found({ productId: review.productId, userId: world.ada.userId })).to.deep.equal([review]);
    expect(await found({ userId: world.bob.userId })).to.deep.equal([]);
  });

  describe('that change or go', () => {
    let review: Review;
    beforeEach(async () => {
      review = await write(world.ada, bought);
    });

    it('require their author or staff', async () => {
      expect(await kindOf(change(world.bob, review.id, { rating: 1 }))).to.equal('forbidden');
      expect(await kindOf(remove(world.bob, review.id))).to.equal('forbidden');
      expect(await change(world.ada, review.id, { rating: 4 })).to.include({ rating: 4, version: 2 });
      const tidied = await change(world.staff, review.id, { title: null });
      expect(tidied).to.include({ rating: 4, title: null, userId: world.ada.userId, version: 3 });
      await remove(world.staff, review.id);
      expect(await world.find('reviews', review)).to.equal(undefined);
    });

    it('keep their version when nothing changes', async () => {
      expect(await change(world.ada, review.id, {})).to.deep.equal(review);
      expect(await world.find('reviews', review)).to.deep.equal(review);
    });

    it('must exist, then belong to the caller, then have an expected version', async () => {
      expect(await kindOf(change(world.bob, nowhere(), {}, [2]))).to.equal('not-found');
      expect(await kindOf(remove(world.bob, nowhere(), [2]))).to.equal('not-found');
      expect(await kindOf(change(world.bob, review.id, {}, [2]))).to.equal('forbidden');
      expect(await kindOf(remove(world.bob, review.id, [2]))).to.equal('forbidden');
      expect(await kindOf(change(world.ada, review.id, {}, [2]))).to.equal('precondition-failed');
      expect(await kindOf(remove(world.ada, review.id, [2]))).to.equal('precondition-failed');
      expect(await change(world.ada, review.id, { rating: 3 }, [1])).to.include({ version: 2 });
    });
  });
});
