import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TaxRate } from '#domain/tax.ts';
import { TaxedItems } from '#domain/taxed-items.ts';
import { taxesOf } from '#domain/taxes.ts';

const page = readFileSync('docs/taxes.md', 'utf8');

/** The rows of the table with this header. */
const tableOf = (header: string): readonly (readonly string[])[] => {
  const [, rows = ''] = page.split(`| ${header} |\n`);
  const [table = ''] = rows.split('\n\n');
  return table
    .split('\n')
    .slice(1)
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
};

describe('The example of docs/taxes.md', () => {
  const parts = tableOf('part | rate | amount').map(([name = '', rate = '', amount = '']) => ({
    name,
    taxRate: rate === '' ? null : TaxRate.of(Number(rate)),
    total: { amount: Number(amount), currency: 'EUR' },
  }));
  const items = parts.filter(({ name }) => name !== 'shipping' && name !== 'discount');
  const partOf = (name: string) => parts.find((one) => one.name === name);
  const itemsTotal = items.reduce((sum, { total }) => sum + total.amount, 0);
  const price = {
    itemsTotal,
    shipping: partOf('shipping')?.total.amount ?? 0,
    discount: partOf('discount')?.total.amount ?? 0,
    shippingTaxRate: partOf('shipping')?.taxRate ?? null,
    taxedItems: items.reduce(TaxedItems.plus, TaxedItems.none),
  };

  it('has the taxes that Portico computes', () => {
    const shown = tableOf('rate | gross | net | tax').map((cells) => cells.map(Number));
    const computed = taxesOf(price).map(({ rate, gross, net, tax }) => [
      TaxRate.toNumber(rate),
      ...[gross, net, tax],
    ]);
    expect(shown).to.deep.equal(computed);
  });

  it('has the total, and what has no rate', () => {
    const total = itemsTotal + price.shipping - price.discount;
    const untaxed = taxesOf(price).reduce((left, { gross }) => left - gross, total);
    expect(page).to.include(`Its total is ${total}.`);
    expect(page).to.include(`${untaxed} of the total has no rate.`);
  });
});
