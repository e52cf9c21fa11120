import { expect } from 'chai';
import { describeAdminInEachWay } from './describe-admin.ts';
import { accessibilityProblems, signIn } from './fixture.ts';

describeAdminInEachWay('The frame of the admin page', (admin) => {
  it('asks for a key in a field that has the focus, and says where the key comes from', async () => {
    const page = await admin.open('/orders', { isSignedIn: false });
    const field = page.getByLabel('Key');
    await field.waitFor();
    expect(await page.evaluate('document.activeElement.name')).to.equal('key');
    await page.getByText('the person who installed the shop').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.type('ptc_unknown');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await signIn(page, admin.client.token ?? '');
    await admin.pressInMenu(page.getByRole('button', { name: 'Sign out' }));
    await field.waitFor();
    expect(await page.evaluate('document.activeElement.name')).to.equal('key');
  });

  it('keeps what is for developers apart from the shop', async () => {
    const page = await admin.open('/');
    const linksOf = (name: string) => page.getByRole('group', { name }).getByRole('link').allInnerTexts();
    await admin.pressInMenu(page.getByRole('link', { name: 'Webhooks' }));
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await admin.press(menu);
    expect(await linksOf('Shop')).to.deep.equal(['Today', 'Orders', 'Products', 'Customers']);
    expect(await linksOf('For developers')).to.deep.equal(['Keys', 'Webhooks', 'Requests']);
    await page.getByText('For developers').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });
});
