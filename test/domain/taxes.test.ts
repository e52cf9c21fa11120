import { expect } from 'chai';
import fc from 'fast-check';
import { type RatedAmount, TaxRate } from '#domain/tax.ts';
import { type PriceParts, type Tax, taxesOf } from '#domain/taxes.ts';

const percent = (rate: number): TaxRate => TaxRate.of(rate);
const none: PriceParts = { itemsTotal: 0, shipping: 0, discount: 0, shippingTaxRate: null, taxedItems: [] };
const rows = (price: Partial<PriceParts>) =>
  taxesOf({ ...none, ...price }).map(({ rate, gross, net, tax }) => [
    TaxRate.toNumber(rate),
    gross,
    net,
    tax,
  ]);
const rated = (...items: (readonly [number, number])[]): readonly RatedAmount[] =>
  items.map(([rate, gross]) => ({ rate: percent(rate), gross }));

describe('The taxes of an order', () => {
  it('are contained in its prices', () => {
    expect(rows({ itemsTotal: 11_900, taxedItems: rated([19, 11_900]) })).to.deep.equal([
      [19, 11_900, 10_000, 1_900],
    ]);
  });

  it('are listed by ascending rate, with shipping under its own', () => {
    const price = { itemsTotal: 3_260, shipping: 490, taxedItems: rated([7, 1_070], [19, 1_190]) };
    expect(rows({ ...price, shippingTaxRate: percent(19) })).to.deep.equal([
      [7, 1_070, 1_000, 70],
      [19, 1_680, 1_412, 268],
    ]);
    expect(rows({ ...price, shippingTaxRate: percent(5) }).map(([rate]) => rate)).to.deep.equal([5, 7, 19]);
    expect(rows(price).map(([rate]) => rate)).to.deep.equal([7, 19]);
  });

  it('do not list what has no rate, and list a rate of 0', () => {
    expect(rows({ itemsTotal: 500, shipping: 100 })).to.deep.equal([]);
    expect(rows({ itemsTotal: 500, taxedItems: rated([0, 500]) })).to.deep.equal([[0, 500, 500, 0]]);
  });

  it('do not list what is free, and list what the discount makes free', () => {
    const free = { taxedItems: rated([19, 0]), shippingTaxRate: percent(7) };
    expect(rows(free)).to.deep.equal([]);
    expect(rows({ itemsTotal: 500, discount: 500, taxedItems: rated([19, 500]) })).to.deep.equal([
      [19, 0, 0, 0],
    ]);
  });

  it('round half away from zero', () => {
    // 3 x 20 / 120 = 0.5 exactly.
    expect(rows({ itemsTotal: 3, taxedItems: rated([20, 3]) })).to.deep.equal([[20, 3, 2, 1]]);
    expect(rows({ itemsTotal: 2, taxedItems: rated([20, 2]) })).to.deep.equal([[20, 2, 2, 0]]);
  });

  it('spread the discount over all rates and what has none, by largest remainder', () => {
    // 100 over 333, 333 and 334: 33.3, 33.3 and 33.4, so that the last unit goes to the last.
    const price = { itemsTotal: 1_000, discount: 100, taxedItems: rated([7, 333], [19, 333]) };
    expect(rows(price).map(([, gross]) => gross)).to.deep.equal([300, 300]);
  });

  it('give what is left to the lower rate, and to what has no rate last', () => {
    const discounted = (discount: number, itemsTotal: number) =>
      rows({ itemsTotal, discount, taxedItems: rated([7, 10], [19, 10]) }).map(([, gross]) => gross);
    expect(discounted(1, 20)).to.deep.equal([9, 10]);
    expect(discounted(1, 30)).to.deep.equal([9, 10]);
    expect(discounted(2, 30)).to.deep.equal([9, 9]);
  });

  it('never exceed the items, when a process of the previous release has removed some', () => {
    expect(
      rows({ itemsTotal: 100, taxedItems: rated([7, 80], [19, 50]) }).map(([, gross]) => gross),
    ).to.deep.equal([80, 20]);
  });
});

describe('Random taxes', () => {
  it('are those of exact fractions', () => {
    fc.assert(
      fc.property(prices, (price) => {
        expect(taxesOf(price)).to.deep.equal(slowTaxesOf(price));
      }),
      { numRuns: 500 },
    );
  });

  it('sum exactly to what is paid, and are never negative', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const taxes = taxesOf(price);
        const gross = taxes.reduce((sum, tax) => sum + BigInt(tax.gross), 0n);
        const paid = BigInt(price.itemsTotal) + BigInt(price.shipping) - BigInt(price.discount);
        expect(gross <= paid, 'not more than is paid').to.equal(true);
        if (isAllRated(price)) expect(gross).to.equal(paid);
        for (const tax of taxes) {
          expect(tax.net + tax.tax).to.equal(tax.gross);
          for (const amount of [tax.gross, tax.net, tax.tax])
            expect(Number.isSafeInteger(amount)).to.equal(true);
          expect(Math.min(tax.gross, tax.net, tax.tax)).to.be.at.least(0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('discount no rate by more than it costs, nor by a unit more or less than its share', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const before = taxesOf({ ...price, discount: 0 });
        const sum = BigInt(price.itemsTotal) + BigInt(price.shipping);
        for (const [index, tax] of taxesOf(price).entries()) {
          const gross = BigInt(before[index]?.gross ?? 0);
          const part = gross - BigInt(tax.gross);
          expect(part >= 0n && part <= gross).to.equal(true);
          const error = part * sum - BigInt(price.discount) * gross;
          expect(error < sum && -error < sum).to.equal(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('do not depend on the order of the items', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const reversed = { ...price, taxedItems: price.taxedItems.toReversed() };
        expect(taxesOf(reversed)).to.deep.equal(taxesOf(price));
      }),
    );
  });
});

/** Amounts near the limits of money and near each other, where rounding and ties decide. */
const amounts = (max: number) =>
  fc.oneof(fc.integer({ min: 0, max: Math.min(max, 40) }), fc.integer({ min: 0, max }));

const rates = fc
  .oneof(fc.constantFrom(0, 5_500, 7_000, 19_000, 20_000, 100_000), fc.integer({ min: 0, max: TaxRate.max }))
  .map((rate) => rate as TaxRate);

const prices: fc.Arbitrary<PriceParts> = fc
  .record({
    taxedItems: fc.uniqueArray(fc.record({ rate: rates, gross: amounts(2 ** 49) }), {
      maxLength: 6,
      selector: ({ rate }) => rate,
    }),
    unrated: amounts(2 ** 49),
    shipping: amounts(2 ** 49),
    shippingTaxRate: fc.option(rates),
    discountShare: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ taxedItems, unrated, shipping, shippingTaxRate, discountShare }) => {
    const itemsTotal = taxedItems.reduce((sum, { gross }) => sum + gross, unrated);
    const discount = Math.floor((itemsTotal + shipping) * discountShare);
    return { itemsTotal, shipping, discount, shippingTaxRate, taxedItems };
  });

const isAllRated = ({ itemsTotal, taxedItems, shipping, shippingTaxRate }: PriceParts): boolean =>
  taxedItems.reduce((sum, { gross }) => sum + gross, 0) === itemsTotal &&
  (shippingTaxRate !== null || shipping === 0);

/** The rule of the documentation word by word: one unit after the other, in exact fractions. */
const slowTaxesOf = (price: PriceParts): readonly Tax[] => {
  const groups: { rate: TaxRate | null; gross: bigint; discount: bigint }[] = [];
  const add = (rate: TaxRate | null, gross: number) => {
    const group = groups.find((one) => one.rate === rate);
    if (group) group.gross += BigInt(gross);
    else groups.push({ rate, gross: BigInt(gross), discount: 0n });
  };
  for (const { rate, gross } of price.taxedItems) add(rate, gross);
  add(price.shippingTaxRate, price.shipping);
  add(null, price.itemsTotal - price.taxedItems.reduce((sum, { gross }) => sum + gross, 0));
  groups.sort((one, other) => (one.rate ?? 1e9) - (other.rate ?? 1e9));
  const sum = groups.reduce((total, { gross }) => total + gross, 0n);
  const discount = BigInt(price.discount);
  let left = discount;
  for (const group of groups) {
    group.discount = sum === 0n ? 0n : (discount * group.gross - ((discount * group.gross) % sum)) / sum;
    left -= group.discount;
  }
  const remainders = new Map(groups.map((group) => [group, discount * group.gross - group.discount * sum]));
  for (; left > 0n; left -= 1n) {
    const largest = [...remainders].reduce((best, one) => (one[1] > best[1] ? one : best));
    largest[0].discount += 1n;
    remainders.delete(largest[0]);
  }
  return groups.flatMap(({ rate, gross, discount: part }) => {
    if (rate === null || gross === 0n) return [];
    const after = gross - part;
    const divisor = 100_000n + BigInt(rate);
    const floor = (after * BigInt(rate)) / divisor;
    const fraction = after * BigInt(rate) - floor * divisor;
    const tax = 2n * fraction >= divisor ? floor + 1n : floor;
    return [{ rate, gross: Number(after), net: Number(after - tax), tax: Number(tax) }];
  });
};
