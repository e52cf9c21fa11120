import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { until } from '../support/until.ts';
import { describeAdmin } from './describe-admin.ts';
import { accessibilityProblems } from './fixture.ts';

describeAdmin('Going from view to view of the admin page', (admin) => {
  const product = async (): Promise<Json> => {
    const body = { name: 'Kettle', price: { amount: 2400, currency: 'EUR' }, tags: ['tea'], stock: 10 };
    return (await admin.client.post('/v1/products', body)).body.data;
  };
  const dialog = () => admin.page.getByRole('dialog');
  const heading = (name: string) => admin.page.getByRole('heading', { name, exact: true, level: 1 });
  const answer = (name: string) => admin.press(dialog().getByRole('button', { name }));

  it('asks before what was typed into a product is lost, also by the way back of the browser', async () => {
    const { id } = await product();
    const page = await admin.open('/products');
    await admin.press(page.getByRole('link', { name: 'Kettle' }).first());
    const tags = page.getByLabel('Tags');
    await tags.fill('tea, pot');
    await admin.pressInMenu(page.getByRole('link', { name: 'Orders' }));
    await dialog().getByText('not saved').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await answer('Stay here');
    await dialog().waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).to.equal(`#/products/${id}`);
    expect(await tags.inputValue()).to.equal('tea, pot');
    await page.goBack();
    await answer('Leave without saving');
    await heading('Products').waitFor();
    await page.goForward();
    await heading('Kettle').waitFor();
    expect(await tags.inputValue()).to.equal('tea');
    await tags.fill('tea , ');
    await admin.pressInMenu(page.getByRole('link', { name: 'Orders' }));
    await heading('Orders').waitFor();
    expect(await dialog().count()).to.equal(0);
  });

  it('asks before the tab is closed or signed out, until it is saved', async () => {
    const { id } = await product();
    const page = await admin.open(`/products/${id}`);
    const asked: string[] = [];
    page.on('dialog', async (question) => {
      asked.push(question.type());
      await question.accept();
    });
    await page.getByLabel('Price', { exact: true }).fill('none');
    await admin.pressInMenu(page.getByRole('button', { name: 'Sign out' }));
    await answer('Stay here');
    await dialog().waitFor({ state: 'detached' });
    await page.reload();
    await heading('Kettle').waitFor();
    expect(asked).to.deep.equal(['beforeunload']);
    await page.getByLabel('Price', { exact: true }).fill('25');
    await admin.press(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('status').getByText('Saved.').waitFor();
    await page.reload();
    await heading('Kettle').waitFor();
    expect(asked).to.deep.equal(['beforeunload']);
  });

  it('asks before a value is lost that is edited in a list, and not once it is saved or given up', async () => {
    await product();
    const page = await admin.open('/products');
    const stock = page.getByRole('textbox', { name: 'Stock of Kettle' });
    const edit = () => admin.press(page.getByRole('button', { name: 'Stock of Kettle' }).first());
    await edit();
    await stock.fill('7');
    await page.getByLabel('Reason').fill('Delivery');
    await admin.pressInMenu(page.getByRole('link', { name: 'Orders' }));
    await answer('Stay here');
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByLabel('Reason').inputValue()).to.equal('Delivery');
    await admin.press(page.getByRole('button', { name: 'Save' }));
    await stock.waitFor({ state: 'detached' });
    await edit();
    await stock.fill('8');
    await page.keyboard.press('Escape');
    await edit();
    await admin.pressInMenu(page.getByRole('link', { name: 'Orders' }));
    await heading('Orders').waitFor();
    expect(await dialog().count()).to.equal(0);
  });

  it('asks before a tab is loaded again in whose dialog something was typed', async () => {
    const person = { email: 'till@example.com', name: 'Till', role: 'staff' };
    const { id: userId } = (await admin.client.post('/v1/users', person)).body.data;
    const body = { name: 'Till', user_id: userId };
    const { id } = (await admin.client.post('/v1/api-keys', body)).body.data;
    const page = await admin.open(`/keys/${id}`);
    const asked: string[] = [];
    page.on('dialog', async (question) => {
      asked.push(question.type());
      await question.accept();
    });
    const rename = () => admin.press(page.getByRole('button', { name: 'Rename' }));
    await rename();
    await dialog().waitFor();
    await page.reload();
    await rename();
    expect(asked).to.deep.equal([]);
    await dialog().getByLabel('Name').fill('Second till');
    await page.reload();
    await rename();
    expect(asked).to.deep.equal(['beforeunload']);
    expect(await dialog().getByLabel('Name').inputValue()).to.equal('Till');
  });

  it('asks before a product that is being added is lost, and not once it is added', async () => {
    const page = await admin.open('/products');
    await admin.press(page.getByRole('link', { name: 'Add a product' }));
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    await page.goBack();
    await heading('Products').waitFor();
    await admin.press(page.getByRole('link', { name: 'Add a product' }));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tea caddy');
    await page.goBack();
    await answer('Stay here');
    await dialog().waitFor({ state: 'detached' });
    await page.getByLabel('Price', { exact: true }).fill('12');
    await admin.press(page.getByRole('button', { name: 'Add', exact: true }));
    await heading('Tea caddy').waitFor();
    expect(await dialog().count()).to.equal(0);
  });

  it('asks before what was typed for a key or a webhook is lost, and not once it is saved', async () => {
    const page = await admin.open('/keys');
    await admin.press(page.getByRole('link', { name: 'Create a key' }));
    await page.getByRole('textbox', { name: /^Name/ }).fill('Till');
    await admin.pressInMenu(page.getByRole('link', { name: 'Orders' }));
    await answer('Stay here');
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: /^Name/ }).inputValue()).to.equal('Till');
    await admin.pressInMenu(page.getByRole('link', { name: 'Orders' }));
    await answer('Leave without saving');
    await heading('Orders').waitFor();
    const body = { url: 'https://hooks.example/', event_types: ['order.created'] };
    const { id } = (await admin.client.post('/v1/webhook-endpoints', body)).body.data;
    await page.goto(`/admin#/webhooks/${id}/change`);
    const products = page.getByRole('group', { name: 'Products' }).getByLabel('All');
    await admin.press(products);
    await page.goBack();
    await answer('Stay here');
    await dialog().waitFor({ state: 'detached' });
    expect(await products.isChecked()).to.equal(true);
    await admin.press(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('button', { name: 'Delete' }).waitFor();
    expect(await dialog().count()).to.equal(0);
  });

  it('shows a list where it was left, when one comes back', async () => {
    const page = await admin.open('/products');
    await page.locator('a.row').nth(20).waitFor();
    const last = page.locator('a.row').last();
    await last.scrollIntoViewIfNeeded();
    await last.focus();
    const untilScrolledTo = (place: number) =>
      until(
        () => page.evaluate('scrollY'),
        (now) => now === place,
      );
    const left: number = await page.evaluate('scrollY');
    expect(left).to.be.above(100);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Archive' }).waitFor();
    await untilScrolledTo(0);
    await page.goBack();
    await page.locator('a.row').nth(20).waitFor();
    await untilScrolledTo(left);
    await admin.pressInMenu(page.getByRole('link', { name: 'Customers' }));
    await heading('Customers').waitFor();
    await admin.pressInMenu(page.getByRole('link', { name: 'Products' }));
    await page.locator('a.row').nth(20).waitFor();
    await untilScrolledTo(0);
  });

  it('shows what edits the last value of a list within the window, and says what is wrong once', async () => {
    const page = await admin.open('/products');
    await page.locator('a.row').nth(20).waitFor();
    const value = page.getByRole('button', { name: /^Stock of/ }).last();
    await admin.press(value);
    const input = page.getByRole('textbox', { name: /^Stock of/ });
    await input.fill('−999');
    await page.keyboard.press('Enter');
    const wrong = page.locator('form.edit').getByText(/^Only .* are there/);
    await wrong.first().waitFor();
    expect(await wrong.count()).to.equal(1);
    const size: number = await page.evaluate('innerHeight');
    const bottom = await until(
      async () => {
        const box = await page.locator('form.edit').boundingBox();
        return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
      },
      // A window ends at a whole pixel, an element does not.
      (end) => end <= size + 1,
    );
    expect(bottom).to.be.above(0);
    await input.fill('3');
    await page.getByText(/: 3 in stock\.$/).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
  });
});
