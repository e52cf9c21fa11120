import { expect } from 'chai';
import { checkIdentityProvider } from '#bootstrap/cli/doctor/providers.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { reasonToSkip, type Visit } from '../../docs/browser.ts';
import { until } from '../../support/until.ts';
import { type AdminFixture, accessibilityProblems, adminFixture, signIn } from '../fixture.ts';
import { LoginProvider } from './provider.ts';

describe(`A provider that is silent, and where no one can sign out${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let fixture: AdminFixture;
  let provider: LoginProvider;
  let visited: Visit | undefined;

  before(async function () {
    if (reasonToSkip) return this.skip();
    const port = await freePort();
    provider = await LoginProvider.start(`http://127.0.0.1:${port}/admin`, false);
    provider.isSilent = true;
    fixture = await adminFixture({ ...provider.settings, PAGES_PORT: `${port}` });
  });
  after(async () => {
    await visited?.close();
    await fixture?.close();
    await provider?.stop();
  });

  it('keeps no one with a key out, and lets people sign in once it responds', async () => {
    visited = await fixture.open('/orders', { isSignedIn: false, elsewhere: provider.issuer });
    const { page } = visited;
    const { host } = new URL(provider.issuer);
    await page.getByText(`${host}, where you sign in, does not respond now.`).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const policy = (await fetch(`${fixture.origin}/admin`)).headers.get('Content-Security-Policy');
    expect(policy).to.contain("; connect-src 'self'; ");
    await page.getByText('Sign in with a key').click();
    await signIn(page, fixture.server.client.token ?? '');
    await page.locator('a.row').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('does not respond now').waitFor();

    provider.isSilent = false;
    const button = page.getByRole('button', { name: `Sign in with ${host}` });
    const newPolicy = async () =>
      (await fetch(`${fixture.origin}/admin`)).headers.get('Content-Security-Policy');
    await until(
      newPolicy,
      (found) => found?.includes(`connect-src 'self' ${provider.issuer}/token`) === true,
      30_000,
    );
    // A page without the login is stored, and must not be used with the login's policy.
    await page.getByRole('button', { name: 'Try again' }).click();
    await button.waitFor();
    const person = { name: 'Sam', email: 'sam@shop.example', role: 'admin' };
    const { id } = (await fixture.server.client.post('/v1/users', person)).body.data;
    await button.click();
    await page.getByLabel('Account').fill(id);
    await page.getByRole('button', { name: 'Sign in there' }).click();
    await page.locator('a.row').first().waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page
      .getByRole('alert')
      .getByText(`You are signed out here, and may still be signed in at ${host}.`, { exact: true })
      .waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
    await button.click();
    await page.getByLabel('Account').waitFor();
    expect(provider.requests.findLast((request) => request.includes('/auth?'))).to.contain('prompt=login');
    expect(visited.problems).to.deep.equal([]);
    expect(await checkIdentityProvider(readConfig(provider.settings))).to.deep.equal([
      { check: 'identity', state: 'ok', message: `${host} publishes 1 key` },
      { check: 'identity', state: 'ok', message: `people sign in to the admin page at ${host}` },
    ]);
  });
});
