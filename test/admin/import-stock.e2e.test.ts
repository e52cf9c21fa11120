import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdmin } from './describe-admin.ts';
import { chooseFile, countsOf, sendButton } from './import-steps.ts';

describeAdmin('Stocks of imports on the admin page', (admin) => {
  const bySku = async (sku: string): Promise<Json> =>
    (await admin.client.get(`/v1/products?sku=${sku}`)).body.data[0];
  const add = async (sku: string, stock: number | null = 102): Promise<Json> =>
    (
      await admin.client.post('/v1/products', {
        ...{ name: `Product ${sku}`, sku, price: { amount: 1600, currency: 'EUR' }, stock },
      })
    ).body.data;
  const history = async ({ id }: Json): Promise<readonly (readonly [number, number, string])[]> =>
    (await admin.client.get(`/v1/stock-changes?product_id=${id}`)).body.data.map(
      ({ change, stock_after: after, reason }: Json) => [change, after, reason.replace(/ \[.*\]$/, '')],
    );
  const choose = (...lines: readonly string[]) => chooseFile(admin.page, lines.join('\n'), 'supplier.csv');
  const say = (use: string) => admin.press(admin.page.getByRole('radio', { name: use }));
  const send = async () => {
    await admin.page.locator('.summary').waitFor();
    await admin.press(sendButton(admin.page));
    return countsOf(admin.page);
  };
  const row = async (sku: string) => {
    const text = await admin.page.getByRole('row').filter({ hasText: sku }).last().innerText();
    return text.replaceAll(/\s+/g, ' ');
  };
  const waitForRow = (sku: string, text: string) =>
    admin.page.getByRole('row').filter({ hasText: sku }).getByText(text).last().waitFor();

  it('change only as a person says when a header can mean two things', async () => {
    const product = await add('ASKED');
    const page = await admin.open('/products/import');
    await choose('SKU;Quantity', 'ASKED;100');
    await page.getByText('Say above what “Quantity” does').waitFor();
    await page.locator('.summary', { hasText: '1 undecided' }).waitFor();
    expect(await row('ASKED')).to.match(/Undecided.*102 100 in the file/);
    expect(await sendButton(page).isDisabled()).to.equal(true);
    await say('Leave out');
    await waitForRow('ASKED', 'Unchanged');
    expect(await sendButton(page).isDisabled()).to.equal(false);
    await say('Replaces the stock');
    await waitForRow('ASKED', 'replaced');
    expect(await row('ASKED')).to.match(/102 → 100 replaced/);
    expect(await send()).to.equal('Added 0 Updated 1 Unchanged 0 With errors 0');
    expect((await bySku('ASKED')).stock).to.equal(100);
    expect(await history(product)).to.deep.equal([[-2, 100, 'Replaced by the import of supplier.csv']]);
  });

  it('are replaced by a column that is called so, which is said', async () => {
    const product = await add('COUNT');
    await add('COUNT-2', null);
    const page = await admin.open('/products/import');
    await choose('SKU;Bestand;Price', 'COUNT;90,5;17', 'COUNT-2;4;16');
    await waitForRow('COUNT-2', 'not in the history');
    expect(await page.getByRole('radio', { name: 'Replaces the stock' }).isChecked()).to.equal(true);
    expect(await send()).to.equal('Added 0 Updated 2 Unchanged 0 With errors 0');
    const { stock, price } = await bySku('COUNT');
    expect([stock, price.amount, (await bySku('COUNT-2')).stock]).to.deep.equal([90.5, 1700, 4]);
    expect(await history(product)).to.deep.equal([[-11.5, 90.5, 'Replaced by the import of supplier.csv']]);
  });

  it('are added to once for each file, with all its lines', async () => {
    const product = await add('ADD-KNOWN');
    await add('ADD-NULL', null);
    const lines = [
      'SKU;Name;Price;Menge',
      'ADD-KNOWN;;;40',
      'ADD-KNOWN;;;2,5',
      'ADD-NULL;;;1',
      'ADD-NEW;New;5;7',
    ];
    const page = await admin.open('/products/import');
    await choose(...lines);
    await say('Is added to the stock');
    await waitForRow('ADD-KNOWN', '42.5 added');
    expect(await row('ADD-KNOWN')).to.match(/102 → 144\.5/);
    expect(await page.getByLabel('These lines have errors').inputValue()).to.equal(
      'line 4, ADD-NULL: its stock is not counted, so nothing can be added to it',
    );
    expect(await send()).to.equal('Added 1 Updated 1 Unchanged 0 With errors 1');
    expect((await bySku('ADD-KNOWN')).stock).to.equal(144.5);
    expect(await history(product)).to.deep.equal([[42.5, 144.5, 'Added by the import of supplier.csv']]);
    expect(await history(await bySku('ADD-NEW'))).to.deep.equal([
      [7, 7, 'Added by the import of supplier.csv'],
    ]);

    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(...lines);
    await say('Is added to the stock');
    await waitForRow('ADD-NEW', 'added before, not again');
    expect(await send()).to.equal('Added 0 Updated 0 Unchanged 2 With errors 1');
    await page.getByText('This file was added to the stock of 2 products before').waitFor();
    expect([(await bySku('ADD-KNOWN')).stock, (await bySku('ADD-NEW')).stock]).to.deep.equal([144.5, 7]);

    // Two tabs at once see no entry of each other in the history.
    await page.route('**/v1/stock-changes?*', (route) =>
      route.fulfill({ json: { data: [], pagination: { next_cursor: null } } }),
    );
    await admin.press(page.getByRole('button', { name: 'Import another file' }));
    await choose(...lines);
    await say('Is added to the stock');
    await waitForRow('ADD-KNOWN', '42.5 added');
    expect(await send()).to.equal('Added 0 Updated 2 Unchanged 0 With errors 1');
    expect([(await bySku('ADD-KNOWN')).stock, (await bySku('ADD-NEW')).stock]).to.deep.equal([144.5, 7]);
  });
});
