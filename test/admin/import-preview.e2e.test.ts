import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdmin } from './describe-admin.ts';
import { accessibilityProblems } from './fixture.ts';
import { chooseFile, countsOf, sendButton } from './import-steps.ts';

const hostile = '<img src=x onerror=alert(1)>';

describeAdmin('What an import will do, on the admin page', (admin) => {
  const bySku = async (sku: string): Promise<Json> =>
    (await admin.client.get(`/v1/products?sku=${sku}`)).body.data[0];
  const add = async (sku: string, more: Json = {}): Promise<Json> =>
    (
      await admin.client.post('/v1/products', {
        ...{ name: `Product ${sku}`, sku, price: { amount: 1600, currency: 'EUR' }, stock: 102 },
        ...more,
      })
    ).body.data;
  const choose = (...lines: readonly string[]) => chooseFile(admin.page, lines.join('\n'));
  const row = async (sku: string) => {
    const text = await admin.page.getByRole('row').filter({ hasText: sku }).last().innerText();
    return text.replaceAll(/\s+/g, ' ');
  };
  const summary = (text: string) => admin.page.locator('.summary', { hasText: text }).waitFor();
  const errors = () => admin.page.getByLabel('These lines have errors').inputValue();

  it('is told line by line before anything is sent', async () => {
    await add('PRE-MUG', { description: 'Heavy' });
    await add('PRE-FIL', { name: 'Paper filters' });
    await add('PRE-TEA', { name: `Old ${hostile}`, tags: ['green'] });
    const page = await admin.open('/products/import');
    await choose(
      'SKU;Name;Description;Price;Stock;Tags',
      'PRE-MUG;Product PRE-MUG;Heavy;16,50;100;',
      'PRE-FIL;Paper filters;;16,00;102;',
      `PRE-TEA;New ${hostile};;€16.00;102;green, cup`,
      'PRE-NEW;Kenya;Blackcurrant;13,90;60;',
      'PRE-BAD;Matcha;;abc;20;',
    );
    await summary('1 new, 2 changed, 1 unchanged, 1 line left out');
    expect(await row('PRE-MUG')).to.match(/Changed.*€16\.00 → €16\.50.*102 → 100 replaced/);
    expect(await row('PRE-FIL')).to.match(/Unchanged.*€16\.00(?!.*→)/);
    expect(await row('PRE-TEA')).to.contain(`Old ${hostile} → New ${hostile}`);
    expect(await row('PRE-TEA')).to.contain('Tags: green → green, cup');
    expect(await row('PRE-NEW')).to.match(/New.*€13\.90.*60.*Description: Blackcurrant/);
    expect(await errors()).to.contain('line 6, PRE-BAD: price must be a number');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect((await bySku('PRE-MUG')).stock).to.equal(102);
    await admin.press(sendButton(page));
    expect(await countsOf(page)).to.equal('Added 1 Updated 2 Unchanged 1 With errors 1');
    const { price, stock } = await bySku('PRE-MUG');
    expect([price.amount, stock]).to.deep.equal([1650, 100]);
  });

  it('says what becomes of a column for which a product has no field', async () => {
    const page = await admin.open('/products/import');
    await choose('SKU;Name;Price;Shelf', 'OWN-1;Mug;16,50;B 4');
    const choice = page.getByLabel('What Shelf is');
    await choice.selectOption('Own field');
    await page.getByText('under the name of the column').waitFor();
    expect((await choice.getByRole('option').allInnerTexts()).slice(-2)).to.deep.equal([
      ...['Own field', 'Own fields (JSON)'],
    ]);
    await choice.selectOption('Own fields (JSON)');
    await page.getByText('Several own fields of a product in one cell').waitFor();
  });

  it('leaves new products without a name out, and says which column to choose', async () => {
    await add('NAM-1');
    const page = await admin.open('/products/import');
    await choose('Article;Text;Price', 'NAM-1;Mug;16,50', 'NAM-2;Kenya;13,90');
    await summary('1 changed, 1 line left out');
    expect(await errors()).to.equal('line 3, NAM-2: a new product needs a name');
    await page.getByText('New products need a name, and no column is chosen for it.').waitFor();
    expect(await sendButton(page).innerText()).to.equal('Import 1 product');
    await admin.press(sendButton(page));
    expect(await countsOf(page)).to.equal('Added 0 Updated 1 Unchanged 0 With errors 1');
    expect(await page.getByText('Fix these lines in your spreadsheet').count()).to.equal(0);
    await admin.press(page.getByRole('button', { name: 'Choose the column' }));
    await page.getByLabel('What Text is').selectOption('Name');
    await summary('1 new, 1 changed');
    await admin.press(sendButton(page));
    expect(await countsOf(page)).to.equal('Added 1 Updated 1 Unchanged 0 With errors 0');
    expect((await bySku('NAM-2')).name).to.equal('Kenya');
  });

  it('asks before an empty cell changes what is sold, and names doubtful article numbers', async () => {
    await add('EMP-1', { tax_rate: 20 });
    await add('EMP-2', { stock: null });
    await add('00777');
    const page = await admin.open('/products/import');
    await choose(
      'SKU,Name,Price,Stock',
      'EMP-1,Tea,5,',
      'EMP-2,Tea,5,',
      '777,New,5,1',
      '2-Jan,New,5,1',
      '777,New,6,1',
    );
    await summary('2 new, 1 changed, 1 line left out');
    expect(await errors()).to.equal(
      'line 2, EMP-1: stock is empty, so the 102 in stock would no longer be counted',
    );
    await page.getByText('Line 6 repeats the article number 777 of line 4.').waitFor();
    expect(await page.getByLabel('Look at these lines').inputValue()).to.match(
      /^line 5, 2-Jan: is a date, .*\nline 6, 777: is new, and 00777 exists\./,
    );
    await admin.press(sendButton(page));
    expect(await countsOf(page)).to.equal('Added 2 Updated 1 Unchanged 0 With errors 1');
    expect((await bySku('EMP-1')).stock).to.equal(102);
    await page.getByText('would change what is sold (stock no longer counted: 1)').waitFor();
    await admin.press(page.getByRole('button', { name: 'Import them, too' }));
    await page.getByText('Empty cells change what is sold (stock no longer counted: 1).').waitFor();
    await summary('1 changed, 3 unchanged');
    expect(await page.getByLabel('Import these lines, too').isChecked()).to.equal(true);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await admin.press(sendButton(page));
    expect(await countsOf(page)).to.equal('Added 0 Updated 1 Unchanged 3 With errors 0');
    await page.getByText('By empty cells: stock no longer counted: 1.').waitFor();
    expect(await bySku('EMP-1')).to.deep.include({ stock: null, tax_rate: 20 });
  });

  it('is looked up for one page at a time, and says so', async () => {
    await add('PAG-30');
    const page = await admin.open('/products/import');
    const asked: string[] = [];
    page.on('request', (request) => {
      const sku = new URL(request.url()).searchParams.get('sku');
      if (sku !== null) asked.push(sku);
    });
    await choose('SKU,Price', ...Array.from({ length: 45 }, (_, n) => `PAG-${n},5`));
    await summary('Of the 20 products compared with your shop so far: 20 lines left out');
    await page.getByText('The other 25 are compared when you look at them below').waitFor();
    expect(asked).to.have.members(Array.from({ length: 20 }, (_, n) => `PAG-${n}`));
    await admin.press(page.getByRole('button', { name: 'Next' }));
    await summary('Of the 40 products compared with your shop so far: 1 changed, 39 lines left out');
    expect(await row('PAG-30')).to.match(/Changed.*€16\.00 → €5\.00/);
    expect(await sendButton(page).innerText()).to.equal('Import 6 products');
    await admin.press(page.getByRole('button', { name: 'Previous' }));
    await page.getByRole('row').filter({ hasText: 'PAG-7' }).waitFor();
    await admin.press(page.getByRole('button', { name: 'Next' }));
    await page.getByRole('row').filter({ hasText: 'PAG-30' }).waitFor();
    expect(asked).to.have.lengthOf(40);
    await admin.press(sendButton(page));
    expect(await countsOf(page)).to.equal('Added 0 Updated 1 Unchanged 0 With errors 44');
    expect(await page.getByLabel('These lines were left out').inputValue()).to.contain(
      'line 46, PAG-44: a new product needs a name',
    );
  });

  it('can be tried again when the shop could not be asked', async () => {
    await add('ASK-1');
    const page = await admin.open('/products/import');
    let isBroken = true;
    await page.route('**/v1/products?sku=*', (route) =>
      isBroken
        ? route.fulfill({ status: 403, json: { error: { code: 'FORBIDDEN', message: 'Not now.' } } })
        : route.continue(),
    );
    await choose('SKU,Price', 'ASK-1,5');
    await page.getByRole('alert').getByText('You are not allowed').waitFor();
    isBroken = false;
    await admin.press(page.getByRole('button', { name: 'Try again' }));
    await summary('1 changed');
  });
});
