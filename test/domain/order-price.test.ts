import { expect } from 'chai';
import fc from 'fast-check';
import { OrderPrice } from '#domain/order-price.ts';
import { domainErrorOf } from './domain-error.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const price = (items: number, shipping = 0, discount = 0): OrderPrice => ({
  total: euros(items + shipping - discount),
  shipping: euros(shipping),
  discount: euros(discount),
});
const max = Number.MAX_SAFE_INTEGER;

const failure = (work: () => unknown): string => {
  const { kind, fields } = domainErrorOf(work);
  return [kind, ...fields].join(' ');
};

describe('The price of an order', () => {
  it('is items and shipping without the discount', () => {
    const before = price(1_000, 490, 90);
    expect(OrderPrice.itemsTotal(before)).to.deep.equal(euros(1_000));
    expect(OrderPrice.totalWith(before, { shipping: euros(0), discount: euros(250) })).to.deep.equal(
      euros(750),
    );
    expect(OrderPrice.totalAfter(before, 300, 100)).to.deep.equal(euros(1_200));
  });

  it('is never below 0', () => {
    const discounted = (discount: number) => () =>
      OrderPrice.totalWith(price(1_000), { shipping: euros(490), discount: euros(discount) });
    expect(discounted(1_490)()).to.deep.equal(euros(0));
    expect(failure(discounted(1_491))).to.equal('validation discount');
    expect(OrderPrice.totalAfter(price(1_000, 0, 400), 600, 0)).to.deep.equal(euros(0));
    expect(failure(() => OrderPrice.totalAfter(price(1_000, 0, 400), 601, 0))).to.equal('invalid-state');
  });

  it('is never above 2^53-1, and neither are its items, whatever the discount', () => {
    const shipped = (shipping: number) => () =>
      OrderPrice.totalWith(price(1_000), { shipping: euros(shipping), discount: euros(0) });
    expect(shipped(max - 1_000)()).to.deep.equal(euros(max));
    expect(failure(shipped(max - 999))).to.equal('validation shipping');
    expect(failure(() => OrderPrice.totalAfter(price(max, 0, max), 0, 1))).to.equal('validation quantity');
    expect(failure(() => OrderPrice.totalAfter(price(0, max), 0, 1))).to.equal('validation quantity');
  });

  it('is set by staff when it has shipping or a discount', () => {
    expect([price(9), price(9, 1), price(9, 0, 1)].map(OrderPrice.isSetByStaff)).to.deep.equal([
      ...[false, true, true],
    ]);
  });

  it('keeps what its items cost, exactly, with every shipping and discount', () => {
    const amount = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max }));
    fc.assert(
      fc.property(amount, amount, amount, (items, shipping, discount) => {
        const changes = { shipping: euros(shipping), discount: euros(discount) };
        const exact = BigInt(items) + BigInt(shipping) - BigInt(discount);
        if (exact < 0n || exact > BigInt(max)) {
          expect(failure(() => OrderPrice.totalWith(price(items), changes))).to.match(/^validation/);
          return;
        }
        const without = { total: euros(items), shipping: euros(0), discount: euros(0) };
        expect(OrderPrice.totalWith(without, changes)).to.deep.equal(euros(Number(exact)));
        const total = OrderPrice.totalWith(price(items), changes);
        expect(total).to.deep.equal(euros(Number(exact)));
        expect(OrderPrice.itemsTotal({ ...changes, total })).to.deep.equal(euros(items));
      }),
      { numRuns: 500 },
    );
  });

  it('changes exactly with its items, or is rejected', () => {
    const amount = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max }));
    fc.assert(
      fc.property(amount, amount, amount, amount, (total, discount, before, after) => {
        const order = { total: euros(total), shipping: euros(0), discount: euros(discount) };
        const items = BigInt(total) + BigInt(discount) + BigInt(after) - BigInt(before);
        fc.pre(BigInt(total) + BigInt(discount) <= BigInt(max) && before <= total + discount);
        const left = items - BigInt(discount);
        const change = () => OrderPrice.totalAfter(order, before, after);
        if (items > BigInt(max)) expect(failure(change)).to.equal('validation quantity');
        else if (left < 0n) expect(failure(change)).to.equal('invalid-state');
        else expect(change()).to.deep.equal(euros(Number(left)));
      }),
      { numRuns: 500 },
    );
  });
});
