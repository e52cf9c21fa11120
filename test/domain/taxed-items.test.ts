import { expect } from 'chai';
import fc from 'fast-check';
import { TaxRate } from '#domain/tax.ts';
import { TaxedItems } from '#domain/taxed-items.ts';

const anItem = (percent: number | null, amount: number) => ({
  taxRate: percent === null ? null : TaxRate.of(percent),
  total: { amount, currency: 'EUR' },
});

const items = fc.array(
  fc.tuple(fc.constantFrom(null, 0, 7, 19), fc.nat()).map(([percent, amount]) => anItem(percent, amount)),
);

const sumOf = (list: Iterable<ReturnType<typeof anItem>>) =>
  [...list].reduce(TaxedItems.plus, TaxedItems.none);

describe('The taxed items of an order', () => {
  it('are one amount for each rate, by ascending rate, and none of 0', () => {
    const sum = sumOf([anItem(19, 100), anItem(7, 20), anItem(null, 5), anItem(19, 1), anItem(3, 0)]);
    expect(sum).to.deep.equal([
      { rate: TaxRate.of(7), gross: 20 },
      { rate: TaxRate.of(19), gross: 101 },
    ]);
  });

  it('are the same in whatever order items are added, and without those that are removed again', () => {
    fc.assert(
      fc.property(items, items, (kept, removed) => {
        const all = sumOf([...removed, ...kept.toReversed()]);
        expect(removed.reduce(TaxedItems.minus, all)).to.deep.equal(sumOf(kept));
      }),
    );
  });

  it('are never less than nothing, although a process of the previous release changes items only', () => {
    expect(TaxedItems.minus(sumOf([anItem(19, 100)]), anItem(19, 200))).to.deep.equal([]);
    expect(TaxedItems.minus(TaxedItems.none, anItem(7, 1))).to.deep.equal([]);
  });
});
