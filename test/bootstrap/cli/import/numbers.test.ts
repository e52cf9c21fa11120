import { expect } from 'chai';
import { readProducts } from './rows.ts';

// How a number is read is in test/adapters/product-files; here is what the options of the command make of it.
describe('A number in a file of products', () => {
  const row = (amount: string, stock: string): string =>
    `sku,name,price_amount,price_currency,stock\nA,Tea,"${amount}",EUR,"${stock}"\n`;

  it('is converted with --decimal, and named with it where it is not', async () => {
    expect((await readProducts(row('12.90', '1'))).rejected).to.deep.equal([
      '2: price.amount is in the minor unit: write 1290 for 12.90 EUR, or use --decimal',
    ]);
    for (const [decimal, amount, stock] of [
      [true, '12,90', '1,5'],
      ['comma', '12,90', '1,500'],
      ['dot', '12.9', '1.500'],
    ] as const) {
      const { products } = await readProducts(row(amount, stock), { decimal });
      expect(products).to.deep.equal([
        { sku: 'A', name: 'Tea', price: { amount: 1290, currency: 'EUR' }, stock: 1500 },
      ]);
    }
    expect((await readProducts(row('1.500', '1'), { decimal: true })).rejected).to.deep.equal([
      '2: price.amount must not be 1.500, which can mean two numbers; use --decimal=dot or --decimal=comma to say which',
    ]);
  });

  it('is named as the file names it, beside what else is wrong in the line', async () => {
    const text =
      'SKU,Name,Price,Currency,Stock,tax_rate\nA,Tea,free,EUR,x,101\nB,Tea,1,,1,\nC,Tea,1,Euro,1,\n';
    expect((await readProducts(text)).rejected).to.deep.equal([
      '2: Price must be a number such as 12.90, not free; stock must be a number such as 12, not x; tax_rate must be from 0 to 100',
      '3: Currency is required',
      '4: Currency must be three letters such as EUR, not EURO',
    ]);
    expect((await readProducts('sku,quantity_step\nA,0\n')).rejected).to.deep.equal([
      '2: quantity_step must be greater than 0',
    ]);
  });
});
