import { expect } from 'chai';
import type { Dialog, Page } from 'playwright-core';
import { Client, type Json } from '../http/support/client.ts';
import { describeAdminInEachWay, phone, pressByKeyboard } from './describe-admin.ts';
import { accessibilityProblems, rowsAre, signIn } from './fixture.ts';

const hostile = '<img src=x onerror=alert(1)>';

describeAdminInEachWay('Keys on the admin page', (admin) => {
  const newUser = async (role: string): Promise<Json> =>
    (
      await admin.client.post('/v1/users', {
        email: `${crypto.randomUUID()}@example.com`,
        name: 'Packer',
        role,
      })
    ).body.data;
  const newKey = async (user: Json, fields: object = {}): Promise<Json> =>
    (await admin.client.post('/v1/api-keys', { name: 'Desk', user_id: user.id, ...fields })).body.data;
  const keysOf = async (user: Json): Promise<Json[]> =>
    (await admin.client.get(`/v1/api-keys?user_id=${user.id}`)).body.data;
  const confirm = async (page: Page, name: string): Promise<void> =>
    admin.press(page.getByRole('dialog').getByRole('button', { name, exact: true }));
  /** All places where a page can leave a text. */
  const placesOf = (page: Page): Promise<string> =>
    page.evaluate(
      'location.href + document.title + document.cookie + JSON.stringify([sessionStorage, localStorage, history.state]) + document.documentElement.outerHTML + [...document.querySelectorAll("input")].map(({ value }) => value)',
    );
  const problemsAt = async (page: Page): Promise<readonly string[]> => {
    const width: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(width).to.be.at.most(0);
    return accessibilityProblems(page);
  };

  it('are created for a user with chosen rights and an end, and shown once, with a copy', async () => {
    const user = await newUser('staff');
    const page = await admin.open('/keys', { permissions: ['clipboard-read', 'clipboard-write'] });
    await admin.press(page.getByRole('link', { name: 'Create a key' }));
    await page.getByRole('textbox', { name: /^Name/ }).fill(hostile);
    await page.getByLabel('E-mail of the user it acts for').fill('nowhere@example.com');
    await admin.press(page.getByLabel('Only what I choose'));
    await admin.press(page.getByRole('button', { name: 'Create the key' }));
    await page.getByText('Choose at least one thing').waitFor();
    await admin.press(page.getByRole('group', { name: 'Orders' }).getByLabel('All'));
    const products = page.getByRole('group', { name: 'Products and stock' });
    await admin.press(products.getByLabel('All'));
    await admin.press(products.getByLabel('Add and change'));
    await page.getByLabel('Valid until').fill('2099-03-01');
    expect(await problemsAt(page)).to.deep.equal([]);
    await admin.press(page.getByRole('button', { name: 'Create the key' }));
    await page.getByText('There is no user with the e-mail address nowhere@example.com').waitFor();
    await page.getByLabel('E-mail of the user it acts for').fill(user.email);
    await admin.press(page.getByRole('button', { name: 'Create the key' }));

    const dialog = page.getByRole('dialog');
    const token = await dialog.getByLabel('Key', { exact: true }).inputValue();
    expect(token).to.match(/^ptc_/);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await admin.press(dialog.getByRole('button', { name: 'Copy', exact: true }));
    await dialog.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(token);
    await admin.press(dialog.getByRole('button', { name: 'Done' }));
    await page.getByRole('heading', { name: `Key: ${hostile}` }).waitFor();
    expect(await placesOf(page)).not.to.contain(token);
    expect(admin.fixture.server.program.output + admin.fixture.server.program.errors).not.to.contain(token);

    const [made] = await keysOf(user);
    expect(made?.scopes).to.have.members(['orders:read', 'orders:write', 'products:read']);
    expect(made?.expires_at).to.match(/^2099-03-0[12]T/);
    const asUser = new Client(() => admin.client.base, token);
    expect((await asUser.get('/v1/orders')).status).to.equal(200);
    expect((await asUser.get('/v1/payments')).status).to.equal(403);
  });

  it('ask before they are lost without a copy', async () => {
    const user = await newUser('customer');
    const page = await admin.open(`/keys/new?user=${user.id}`);
    await page.getByRole('textbox', { name: /^Name/ }).fill('Shop page');
    await admin.press(page.getByLabel('A web page'));
    expect(await page.getByLabel('Only what I choose').count()).to.equal(0);
    await admin.press(page.getByRole('button', { name: 'Create the key' }));
    const input = page.getByRole('dialog').getByLabel('Key', { exact: true });
    const token = await input.inputValue();
    expect(token).to.match(/^ptp_/);
    const asked = new Promise<Dialog>((resolve) => page.once('dialog', resolve));
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).to.equal('beforeunload');
    await question.dismiss();
    await page.keyboard.press('Escape');
    await page.getByText('You have not copied it').waitFor();
    expect(await input.inputValue()).to.equal(token);
    await confirm(page, 'Close without a copy');
    await page.getByRole('heading', { name: 'Key: Shop page' }).waitFor();
    await page.getByText('A web page: it is no secret').waitFor();
    expect(await placesOf(page)).not.to.contain(token);
  });

  it('are found by their user, renamed, limited and revoked, by keyboard alone, on a phone in the dark', async () => {
    const user = await newUser('customer');
    const { id, token } = await newKey(user, { name: 'Old till' });
    const page = await admin.open('/keys', phone);
    const search = page.getByLabel('Keys of the user with this e-mail');
    await search.focus();
    expect((await search.boundingBox())?.width).to.be.above(200);
    await page.keyboard.type(user.email);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys of Packer' }).waitFor();
    expect(await problemsAt(page)).to.deep.equal([]);
    await pressByKeyboard(page.getByRole('link', { name: 'Old till' }));
    await pressByKeyboard(page.getByRole('button', { name: 'Rename' }));
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('New till');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Key: New till' }).waitFor();

    await pressByKeyboard(page.getByRole('button', { name: 'Change its limit' }));
    await page.getByLabel('Requests', { exact: true }).focus();
    await page.keyboard.type('many');
    await page.keyboard.press('Enter');
    await page.getByText('Type a whole number').waitFor();
    await page.getByLabel('Requests', { exact: true }).fill('50');
    await page.keyboard.press('Enter');
    await page.getByText('50 requests in a minute').waitFor();
    expect((await admin.client.get(`/v1/api-keys/${id}`)).body.data).to.include({
      name: 'New till',
      rate_limit: 50,
    });
    expect(await problemsAt(page)).to.deep.equal([]);

    await pressByKeyboard(page.getByRole('button', { name: 'Revoke' }));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await keysOf(user)).to.have.length(1);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('It cannot be undone.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    expect(await keysOf(user)).to.deep.equal([]);
    expect((await new Client(() => admin.client.base, token).get('/v1/orders')).status).to.equal(401);
  });

  it('of staff are their own, with no more rights than they have, and signed out when they revoke theirs', async () => {
    const user = await newUser('staff');
    const { token } = await newKey(user, {
      scopes: ['users:read', 'orders:read', 'api-keys:read', 'api-keys:write'],
    });
    const page = await admin.open('/keys', { isSignedIn: false });
    await signIn(page, token);
    await page.getByText('Only an administrator sees those of others.').waitFor();
    await rowsAre(page, 1);
    await admin.press(page.getByRole('link', { name: 'Create a key' }));
    await page.getByText('Only an administrator can create keys for others').waitFor();
    expect(await page.getByLabel('E-mail of the user').count()).to.equal(0);
    await admin.press(page.getByLabel('Only what I choose'));
    const groups = await page.getByRole('group').locator('legend').allInnerTexts();
    expect(groups).to.deep.equal(['What it may do', 'Orders', 'Customers and staff', 'Keys']);
    await admin.press(page.getByRole('link', { name: 'Back' }));
    await confirm(page, 'Leave without saving');
    await admin.press(page.getByRole('link', { name: 'Desk' }));
    await page.getByText('You are signed in with this key.').waitFor();
    await admin.press(page.getByRole('button', { name: 'Revoke' }));
    await confirm(page, 'Revoke');
    await page.getByText('You have revoked the key').waitFor();
    const weak = await newKey(user, { scopes: ['users:read', 'orders:read'] });
    await signIn(page, weak.token);
    await page.getByText('lacks the scope api-keys:read').waitFor();
  });
});
