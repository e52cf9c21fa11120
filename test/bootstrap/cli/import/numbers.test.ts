import { expect } from 'chai';
import type { RowOptions } from '#bootstrap/cli/import/product-rows.ts';
import { readProducts } from './rows.ts';

const header = 'sku,name,price_amount,price_currency';
const tea = { sku: 'A', name: 'Tea', price: { amount: 1290, currency: 'EUR' } };

describe('A number in a file of products', () => {
  const row = (amount: string, currency = 'EUR', stock = ''): string =>
    `${header},stock\nA,Tea,"${amount}",${currency},"${stock}"\n`;
  const reasonOf = async (file: string, options?: RowOptions): Promise<string | undefined> =>
    (await readProducts(file, options)).rejected[0];

  it('that is a decimal price says what to write', async () => {
    const advice = (amount: string, price: string): string =>
      `2: price.amount is in the minor unit: write ${amount} for ${price}, or use --decimal`;
    expect(await reasonOf(row('12.90'))).to.equal(advice('1290', '12.90 EUR'));
    expect(await reasonOf(row('12,9'))).to.equal(advice('1290', '12,9 EUR'));
    expect(await reasonOf(row('1.5', 'KWD'))).to.equal(advice('1500', '1.5 KWD'));
    expect(await reasonOf(row('1,500'))).to.equal(
      '2: price.amount is in the minor unit, such as 1290 for 12.90 EUR; --decimal converts prices',
    );
    expect(await reasonOf(row('cheap'))).to.match(/^2: price\.amount must be a whole number from 0 to /);
  });

  it('that looks whole to a program is no amount in the minor unit', async () => {
    for (const [amount, price] of [
      ['12.00', '1200 for 12.00 EUR'],
      ['7,0', '700 for 7,0 EUR'],
      ['5.00 €', '500 for 5.00 EUR'],
    ] as const) {
      expect(await reasonOf(row(amount))).to.equal(
        `2: price.amount is in the minor unit: write ${price}, or use --decimal`,
      );
    }
    expect(await reasonOf(row('1.000'))).to.match(/^2: price\.amount is in the minor unit, such as /);
  });

  const human = (price: string, currency = 'EUR', stock = ''): string =>
    `sku,name,price,currency,stock\nA,Tea,"${price}",${currency},"${stock}"\n`;

  const reason = (field: string, text: string): string =>
    `2: ${field} must not be ${text}, which can mean two numbers; use --decimal=dot or --decimal=comma to say which`;

  it('that can mean a thousand is never read as one', async () => {
    for (const [price, currency] of [
      ['1.000', 'EUR'],
      ['12.000', 'USD'],
      ['3.000', 'JPY'],
    ] as const) {
      expect(await reasonOf(human(price, currency))).to.equal(reason('price', price));
    }
    for (const stock of ['1.000', '12.500', '1,000']) {
      expect(await reasonOf(human('1', 'EUR', stock)), stock).to.equal(reason('stock', stock));
    }
    const { products } = await readProducts(human('1.000', 'EUR', '1.000'), { decimal: 'comma' });
    expect(products[0]).to.deep.include({ price: { amount: 100000, currency: 'EUR' }, stock: 1_000_000 });
  });

  it('of stock is read as the price beside it is', async () => {
    const stocks: readonly (readonly [string, number])[] = [
      ['0,5', 500],
      ['12.5', 12_500],
      ['1.234,5', 1_234_500],
      ['0.125', 125],
      ['7', 7_000],
    ];
    for (const [stock, thousandths] of stocks) {
      const { products } = await readProducts(human('12,90', 'EUR', stock));
      expect(products[0]?.stock, stock).to.equal(thousandths);
    }
    expect(await reasonOf(human('1', 'EUR', '-2'))).to.equal(
      '2: stock must be a number of 0 or more, not -2',
    );
    expect(await reasonOf(human('99999999999999999999'))).to.equal(
      '2: price is too large: 99999999999999999999',
    );
    expect(await reasonOf(human('-1'))).to.equal('2: price must be a number of 0 or more, not -1');
  });

  it('that is a step of ordered quantities is read like stock', async () => {
    const step = async (text: string, options: RowOptions = {}, price = 'price,currency\nA,1,EUR') => {
      const [names, row] = price.split('\n');
      const file = `sku,${names},quantity_step\n${row},"${text}"\n`;
      const { products, rejected } = await readProducts(file, options);
      return rejected[0] ?? products[0]?.quantityStep;
    };
    for (const [text, thousandths] of [
      ['1', 1000],
      [' 0,25 ', 250],
      ['0.25', 250],
      ['0.125', 125],
      ['', null],
    ] as const)
      expect(await step(text), text).to.equal(thousandths);
    expect(await step('1.000')).to.equal(reason('quantity_step', '1.000'));
    expect(await step('1.000', { decimal: 'dot' })).to.equal(1000);
    expect(await step('0')).to.equal('2: quantity_step must be greater than 0');
    expect(await step('0.5', {}, 'price_amount,price_currency\nA,1,EUR')).to.equal(500);
    expect(await step('0,5', {}, 'price_amount,price_currency\nA,1,EUR')).to.equal(
      '2: quantity_step must be a number with a dot before its decimals, such as 1.5, not 0,5',
    );
  });

  it('may have its currency beside it', async () => {
    const prices: readonly (readonly [string, string, number])[] = [
      ['19,90 €', 'EUR', 1990],
      ['€ 1.234,50', 'EUR', 123450],
      ['EUR 7,50', 'eur', 750],
      ['7.50EUR', 'EUR', 750],
      ['$5', 'USD', 500],
      ['CHF 1’250.50', 'CHF', 125050],
      ['12,50 zł', 'PLN', 1250],
      ['199\u00a0kr', 'SEK', 19900],
      ['¥300', 'JPY', 300],
    ];
    for (const [price, currency, amount] of prices) {
      const { products, rejected } = await readProducts(human(price, currency));
      expect(rejected).to.deep.equal([]);
      expect(products[0]?.price, price).to.deep.equal({ amount, currency: currency.toUpperCase() });
    }
    for (const price of ['7,50 £', '$5', 'USD 5', '5 € 3', '€', '€€5', 'from 5 €', '-5 €']) {
      expect(await reasonOf(human(price)), price).to.match(/^2: price (must be a number|is required)/);
    }
  });

  it('says how numbers are written in this file', async () => {
    const { rejected } = await readProducts(human('12.5'), { decimal: 'comma' });
    expect(rejected).to.deep.equal(['2: price must be a number such as 12,90, not 12.5']);
  });

  it('that is a tax rate may have a percent sign, and is read as stock beside it', async () => {
    const rate = async (text: string, options: RowOptions = {}, price = 'price,currency\nA,1,EUR') => {
      const [names, row] = price.split('\n');
      const { products, rejected } = await readProducts(`sku,${names},tax_rate\n${row},"${text}"\n`, options);
      return rejected[0] ?? products[0]?.taxRate;
    };
    for (const [text, thousandths] of [
      ...([
        ['19%', 19_000],
        ['19 %', 19_000],
        ['19,0', 19_000],
        ['5.5', 5_500],
        ['0', 0],
        ['0,125', 125],
      ] as const),
      ...([
        ['19.000', 19_000],
        ['1.000', 1_000],
        ['', null],
      ] as const),
    ]) {
      expect(await rate(text), text).to.equal(thousandths);
    }
    expect(await rate('19,000')).to.match(/^2: tax_rate must not be 19,000, which can mean two numbers/);
    expect(await rate('19.000', { decimal: 'comma' })).to.equal('2: tax_rate must be from 0 to 100');
    expect(await rate('19,000', { decimal: 'comma' })).to.equal(19_000);
    for (const text of ['101', '-1', 'reduced', '5.0001'])
      expect(await rate(text), text).to.match(/^2: tax_rate must /);
    const minor = 'price_amount,price_currency\nA,1,EUR';
    expect(await rate('19%', {}, minor)).to.equal(19_000);
    expect(await rate('5.125', {}, minor)).to.equal(5_125);
    expect(await rate('19,0', {}, minor)).to.equal(
      '2: tax_rate must be a number with a dot before its decimals, such as 1.5, not 19,0',
    );
  });

  it('with a decimal comma says what to write', async () => {
    expect(await reasonOf(row('1', 'EUR', '1,5'))).to.equal(
      '2: stock must be a number with a dot before its decimals, such as 1.5, not 1,5',
    );
  });

  it('is converted with --decimal', async () => {
    const { products } = await readProducts(row('12,90', 'EUR', '1,5'), { decimal: true });
    expect(products).to.deep.equal([{ ...tea, stock: 1500 }]);
    const { products: yen } = await readProducts(row('150', 'JPY', '2'), { decimal: true });
    expect(yen[0]).to.deep.include({ price: { amount: 150, currency: 'JPY' }, stock: 2000 });
    expect(await reasonOf(row('1,500', 'EUR', '1,2345'), { decimal: 'comma' })).to.equal(
      '2: stock must have at most 3 decimals, not 1,2345',
    );
    expect(await reasonOf(row('1.500'), { decimal: true })).to.match(
      /^2: price\.amount must not be 1\.500, /,
    );
  });

  it('in the column price is named as the file names it', async () => {
    expect(await reasonOf('SKU,Name,Price,Currency\nA,Tea,free,EUR\n')).to.equal(
      '2: Price must be a number such as 12.90, not free',
    );
    expect(await reasonOf('SKU,Name,Price,Currency\nA,Tea,1,\n')).to.equal('2: Currency is required');
    expect(await reasonOf('SKU,Name,Price,Currency\nA,Tea,1,Euro\n')).to.match(/^2: Currency must /);
  });
});
