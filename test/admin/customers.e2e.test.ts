import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdmin, phone, pressByKeyboard } from './describe-admin.ts';
import { accessibilityProblems, rowsAre } from './fixture.ts';

const hostile = '<img src=x onerror=alert(1)>';

describeAdmin('Customers on the admin page', (admin) => {
  const data = async (path: string): Promise<Json[]> => (await admin.client.get(`/v1${path}`)).body.data;
  const create = async (fields: object): Promise<Json> =>
    (await admin.client.post('/v1/users', fields)).body.data;

  it('are listed with the newest first, and found by e-mail and their number in another system', async () => {
    const email = 'eve+shop@example.com';
    await create({ email, name: hostile, external_id: 'crm-77', metadata: { note: hostile } });
    await create({ email: 'packer@example.com', name: 'Packer', role: 'staff' });
    const page = await admin.open('/customers');
    const all = (await data('/users?role=customer&sort=-id&limit=25')).map(({ name }) => name);
    await rowsAre(page, all);
    expect(all).to.contain('Ada Winter').and.not.to.contain('Packer');
    for (const [text, expected] of [
      [email.toUpperCase(), [hostile]],
      ['crm-77', [hostile]],
      ['@', []],
      ['crm 78', []],
    ] as const) {
      await page.getByRole('searchbox').fill(text);
      await page.keyboard.press('Enter');
      await page.getByText(`Found for ${text}`).waitFor();
      await rowsAre(page, expected);
    }
    await page.getByText('No customer found').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('are on pages of 25', async () => {
    for (let index = 0; index < 30; index += 1)
      await create({ email: `many-${index}@example.com`, name: `Customer ${index}` });
    const page = await admin.open('/customers');
    await page.getByRole('link', { name: 'Customer 29' }).waitFor();
    await rowsAre(page, 25);
    await admin.press(page.getByRole('link', { name: 'Next page' }));
    await page.getByRole('link', { name: 'Customer 4' }).waitFor();
    await admin.press(page.getByRole('link', { name: 'First page' }));
    await page.getByRole('link', { name: 'Customer 29' }).waitFor();
  });

  it('have a page with their orders and reviews, which the order leads to by keyboard alone, on a phone in the dark', async () => {
    const [ada] = await data('/users?email=ada@example.com');
    const id: string = ada?.id;
    const orders = await data(`/orders?user_id=${id}&sort=-id`);
    const reviews = await data(`/reviews?user_id=${id}`);
    const page = await admin.open(`/orders/${orders[0]?.id}`, phone);
    await pressByKeyboard(page.getByRole('link', { name: 'Ada Winter' }));
    await page.getByRole('heading', { name: 'Ada Winter' }).waitFor();
    await page.getByText('ada@example.com').waitFor();
    await rowsAre(
      page,
      orders.map(({ number }) => number),
    );
    await page.getByText(reviews[0]?.title).waitFor();
    await page.getByText(`${reviews[0]?.rating} of 5 stars`).first().waitFor({ state: 'attached' });
    const docs = await page.getByRole('link', { name: 'How to erase' }).getAttribute('href');
    expect((await page.request.get(`${admin.fixture.origin}${docs}`)).status()).to.equal(200);
    const width: number = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).to.be.at.most(390);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await pressByKeyboard(page.getByRole('link', { name: orders[0]?.number }));
    await page.getByRole('heading', { name: `Order ${orders[0]?.number}` }).waitFor();
  });

  it('show texts of strangers as texts, and that their data was erased', async () => {
    const { id } = await create({
      email: 'mallory@example.com',
      name: `${hostile}${'long'.repeat(30)}`,
      metadata: { note: `${hostile}${'long'.repeat(60)}` },
    });
    const page = await admin.open('/customers', phone);
    await page.getByRole('link', { name: hostile }).first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    await page.goto(`/admin#/customers/${id}`);
    await page.getByRole('definition').getByText(hostile).first().waitFor();
    const width: number = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).to.be.at.most(390);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await admin.client.post('/v1/erasures', { user_id: id });
    await page.reload();
    await page.getByText('It was erased').waitFor();
    expect(await page.getByText(hostile).count()).to.equal(0);
  });

  it('get another name and number in another system where they stand, by keyboard alone', async () => {
    const { client } = admin;
    const body = { email: 'edited@example.com', name: 'Eda', role: 'customer' };
    const { data: user } = (await client.post('/v1/users', body)).body;
    const page = await admin.open(`/customers/${user.id}`, { viewport: { width: 390, height: 844 } });
    /** Opens the editor of a value, and waits until it has read the value again. */
    const edit = async (field: string, label: string, text: string) => {
      const value = page.locator(`#edit-${field}-${user.id}`);
      await value.waitFor();
      const read = page.waitForResponse((response) => response.url().endsWith(`/v1/users/${user.id}`));
      await pressByKeyboard(value);
      await read;
      const input = page.getByRole('textbox', { name: label });
      await input.fill(text);
      return input;
    };
    const input = await edit('name', 'Name', '<b>Eda</b> Lovelace');
    expect((await input.boundingBox())?.x).to.be.at.least(0);
    await client.patch(`/v1/users/${user.id}`, { metadata: { note: 'meanwhile' } });
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await input.press('Enter');
    await page.getByRole('alert').getByText('changed meanwhile').waitFor();
    await input.press('Enter');
    await page.getByRole('heading', { name: '<b>Eda</b> Lovelace' }).waitFor();
    await (await edit('external_id', 'Number in another system', 'CRM-7')).press('Enter');
    await page.getByRole('button', { name: /^Number in another system: CRM-7/ }).waitFor();
    const saved = (await client.get(`/v1/users/${user.id}`)).body.data;
    expect([saved.name, saved.external_id]).to.deep.equal(['<b>Eda</b> Lovelace', 'CRM-7']);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
  });
});
