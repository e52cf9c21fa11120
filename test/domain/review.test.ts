import { expect } from 'chai';
import { type OrderStatus, orderStatuses } from '#domain/order.ts';
import { Review, type ReviewDetails } from '#domain/review.ts';
import { aPurchase, later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const { order, item, review } = aPurchase();
const praise: ReviewDetails = { rating: 5, title: 'Mild', body: 'As promised.' };

const write = (details: Partial<ReviewDetails>, status: OrderStatus = 'paid'): Review =>
  Review.write(review.id, { ...order, status }, item, { ...praise, ...details }, noon);

describe('A review', () => {
  it('belongs to the item, its product and the owner of the order', () => {
    expect(write({})).to.deep.equal({
      id: review.id,
      version: 1,
      createdAt: noon,
      updatedAt: noon,
      ...praise,
      itemId: item.id,
      productId: item.productId,
      userId: order.userId,
      userProduct: `${order.userId}:${item.productId}`,
    });
  });

  const reasons: Partial<Record<OrderStatus, RegExp>> = {
    pending: /once its order is paid/,
    canceled: /order is canceled/,
    refunded: /order was refunded/,
  };
  for (const status of orderStatuses) {
    const { [status]: reason } = reasons;
    it(`${reason ? 'cannot, and says why,' : 'can'} be written when the order is ${status}`, () => {
      if (reason === undefined) {
        expect(write({}, status).rating).to.equal(5);
        return;
      }
      expect(domainErrorOf(() => write({}, status)).kind).to.equal('invalid-state');
      expect(() => write({}, status)).to.throw(reason);
    });
  }

  it('stays the one of its user and product when it is changed, and leaves that to another where it is not', () => {
    const { userProduct } = write({});
    expect(Review.change(write({}), { rating: 1 }, later(1)).userProduct).to.equal(userProduct);
    const second = { ...write({}), userProduct: null };
    expect(Review.change(second, { rating: 1 }, later(1)).userProduct).to.equal(null);
  });

  const broken: readonly (readonly [string, Partial<ReviewDetails>])[] = [
    ['rating', { rating: 0 }],
    ['rating', { rating: 6 }],
    ['rating', { rating: 4.5 }],
    ['title', { title: 'x'.repeat(121) }],
    ['title', { title: 'Mild\u2009' }],
    ['title', { title: '\u200b' }],
    ['body', { body: 'x'.repeat(5001) }],
  ];
  for (const [field, details] of broken) {
    it(`is rejected with a ${field} that is ${Object.values(details).join('').slice(0, 3)} or so`, () => {
      const expected = { kind: 'validation', fields: [field] };
      expect(domainErrorOf(() => write(details))).to.deep.equal(expected);
      expect(domainErrorOf(() => Review.change(review, details, noon))).to.deep.equal(expected);
    });
  }

  it('can be a rating only, and have texts of the maximum length', () => {
    expect(write({ title: null, body: null })).to.include({ title: null, body: null });
    const long = { title: 'x'.repeat(120), body: 'x'.repeat(5000) };
    expect(write(long)).to.include(long);
  });

  it('changes the given fields only', () => {
    const before = write({});
    expect(Review.change(before, { rating: 1, title: null }, later(1))).to.deep.equal({
      ...before,
      rating: 1,
      title: null,
      version: 2,
      updatedAt: later(1),
    });
  });

  it('may keep a title from before the rule, but not change it into another such', () => {
    const before = { ...write({}), title: 'Mild ' };
    expect(Review.change(before, { title: 'Mild ', rating: 4 }, later(1))).to.include({
      title: 'Mild ',
      rating: 4,
    });
    const expected = { kind: 'validation', fields: ['title'] };
    expect(domainErrorOf(() => Review.change(before, { title: ' Mild' }, noon))).to.deep.equal(expected);
  });
});
