import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { until } from '../support/until.ts';
import { describeAdminInEachWay, phone, pressByKeyboard } from './describe-admin.ts';
import { accessibilityProblems } from './fixture.ts';
import { chooseFile, countsOf, holdImport, sendButton } from './import-steps.ts';

const hostile = '<img src=x onerror=alert(1)>';

describeAdminInEachWay('Imports on the admin page', (admin) => {
  const bySku = async (sku: string): Promise<Json> =>
    (await admin.client.get(`/v1/products?sku=${sku}`)).body.data[0];
  const choose = (content: string | Uint8Array) => chooseFile(admin.page, content);
  const drop = async (content: string, name: string) => {
    const dataTransfer = await admin.page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)})); return data; })()`,
    );
    await admin.page.dispatchEvent('main', 'dragover', { dataTransfer });
    await admin.page.dispatchEvent('main', 'drop', { dataTransfer });
  };
  const send = () => admin.press(sendButton(admin.page));
  const counts = () => countsOf(admin.page);

  it('take a file that is dropped on the products, with names of other shops, and double nothing', async () => {
    const file = [
      'Artikelnummer;Bezeichnung;Preis;Währung;Bestand;Schlagworte;metadata.colour',
      'IMP-1;"Sencha, 100 g";14,50;EUR;38,5;"Tee, Grün";green',
      'IMP-2;Mate;;EUR;12;;',
      `IMP-3;${hostile};"1.234,50 €";EUR;;;`,
      'COF-ETH-250;;13,90 €;;;;',
      ';none;1;EUR;1;;',
      'IMP-5;"two',
      'lines";teuer;EUR;1;;',
      'IMP-6;Ambiguous;1,500;EUR;1;;',
    ].join('\r\n');
    const page = await admin.open('/products');
    await page.locator('a.row').first().waitFor();
    await drop(file, `${hostile}.csv`);
    await page.getByRole('heading', { name: 'What will be imported' }).waitFor();
    await page.getByText(hostile).first().waitFor();
    // What is new is known once the page has compared the file with the products.
    await page.locator('.summary', { hasText: '2 new, 5 lines left out' }).waitFor();
    await page.getByLabel('Import these lines, too').check();
    await page.locator('.summary', { hasText: '2 new, 1 changed' }).waitFor();
    expect(await page.getByLabel('What Preis is').inputValue()).to.equal('price');
    expect(await page.getByLabel('What metadata.colour is').inputValue()).to.equal('own');
    expect(await page.getByLabel('These lines have errors').inputValue()).to.equal(
      [
        'line 3, IMP-2: a new product needs a price',
        'line 6: has no article number (SKU)',
        'line 7, IMP-5: price must be a number such as 12.90, not teuer',
        'line 9, IMP-6: price must not be 1,500, which can mean two numbers; choose under “Numbers are written” what separates decimals',
      ].join('\n'),
    );
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect(await bySku('IMP-1')).to.equal(undefined);
    await send();
    expect(await counts()).to.equal('Added 2 Updated 1 Unchanged 0 With errors 4');
    expect(await page.getByLabel('Fix these lines').inputValue()).to.contain(
      'line 3, IMP-2: a new product needs a price',
    );
    await admin.press(page.getByRole('button', { name: 'Copy' }));
    const { name, price, stock, tags, metadata } = await bySku('IMP-1');
    expect({ name, price, stock, tags, metadata }).to.deep.equal({
      ...{ name: 'Sencha, 100 g', price: { amount: 1450, currency: 'EUR' }, stock: 38.5 },
      ...{ tags: ['tee', 'grun'], metadata: { colour: 'green' } },
    });
    expect((await bySku('IMP-3')).price.amount).to.equal(123_450);
    const coffee = await bySku('COF-ETH-250');
    expect([coffee.price.amount, coffee.stock, coffee.tags]).to.deep.equal([1390, null, []]);
    expect(await accessibilityProblems(page)).to.deep.equal([]);

    await drop(file, 'again.csv');
    await page.getByText('again.csv').waitFor();
    await page.getByRole('heading', { name: 'What will be imported' }).waitFor();
    await send();
    expect(await counts()).to.equal('Added 0 Updated 0 Unchanged 3 With errors 4');
    expect((await bySku('COF-ETH-250')).version).to.equal(coffee.version);
  });

  it('let a person say what the columns are, by keyboard alone, on a phone in the dark', async () => {
    const page = await admin.open('/products/import', phone);
    await choose('what it is,its number,costs\nCup,MAP-1,"1,500"\n');
    await page.getByText('Choose the column that holds the article number').waitFor();
    for (const [column, value] of [
      ['what it is', 'Name'],
      ['its number', 'Article'],
      ['costs', 'Price'],
    ] as const) {
      await page.getByLabel(`What ${column} is`).focus();
      await page.keyboard.type(value);
    }
    await until(
      () => page.getByLabel('These lines have errors').inputValue(),
      (errors) => errors.includes('can mean two numbers'),
    );
    await page.getByLabel('Numbers are written').selectOption('dot');
    await page.getByLabel('Currency of new products').fill('usd');
    await page.getByText('$1,500.00').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await pressByKeyboard(page.getByRole('button', { name: 'Import 1 product' }));
    expect(await counts()).to.equal('Added 1 Updated 0 Unchanged 0 With errors 0');
    expect((await bySku('MAP-1')).price).to.deep.equal({ amount: 150_000, currency: 'USD' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
  });

  it('keep the currency that a product has, and count the last of repeated rows', async () => {
    const body = { name: 'Bowl', sku: 'CUR-1', price: { amount: 900, currency: 'JPY' }, stock: 3 };
    await admin.client.post('/v1/products', body);
    await admin.open('/products/import');
    await choose('sku,price,stock\nCUR-1,800,5\nCUR-1,850,6\n');
    await admin.page.getByText('Line 3 repeats the article number CUR-1 of line 2.').waitFor();
    await send();
    expect(await counts()).to.equal('Added 0 Updated 1 Unchanged 0 With errors 0');
    const { price, stock } = await bySku('CUR-1');
    expect([price, stock]).to.deep.equal([{ amount: 850, currency: 'JPY' }, 6]);
  });

  it('say what is wrong with a file that cannot be read', async () => {
    const page = await admin.open('/products/import');
    for (const [content, message] of [
      ['sku,"name\nA-1,ok\n', /Line 1 of the file names the columns, and has a quotation mark/],
      ['sku,name\n', /The file has no rows/],
      ['PK\u0003\u0004', /This is an Excel file/],
    ] as const) {
      await choose(content);
      await page.getByRole('alert').getByText(message).waitFor();
    }
    await choose(Buffer.from('sku;name\nLAT-1;Café\n', 'latin1'));
    await page.getByText('read as Western European').waitFor();
    await page.getByRole('rowheader', { name: 'Café' }).waitFor();
  });

  it('stop when asked, and go on without doing anything twice', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `STOP-${index},Thing ${index},5`);
    const page = await admin.open('/products/import');
    await choose(`sku,name,price\n${rows.join('\n')}\n`);
    const release = await holdImport(page);
    await send();
    await page.getByText(/^[1-9]\d? of 60/).waitFor();
    await admin.press(page.getByRole('button', { name: 'Stop' }));
    release();
    expect(await counts()).to.match(/Not sent \d+/);
    await admin.press(page.getByRole('button', { name: 'Go on' }));
    await page.getByRole('heading', { name: /^Done/ }).waitFor();
    const found = (await admin.client.get('/v1/products?q=thing&limit=100')).body.data;
    expect(found.length).to.equal(60);
  });
});
