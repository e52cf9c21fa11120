import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { freePort } from '../../bootstrap/support/ports.ts';
import { reasonToSkip, type Visit } from '../../docs/browser.ts';
import { Client } from '../../http/support/client.ts';
import { until } from '../../support/until.ts';
import { type AdminFixture, accessibilityProblems, adminFixture, forbidStorage, signIn } from '../fixture.ts';
import { LoginProvider } from './provider.ts';

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

interface Kept {
  readonly session: Readonly<Record<string, string>>;
  readonly elsewhere: string;
}

describe(`The login at an identity provider${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let fixture: AdminFixture;
  let provider: LoginProvider;
  let visited: Visit;
  let staff: string;

  before(async function () {
    if (reasonToSkip) return this.skip();
    const port = await freePort();
    provider = await LoginProvider.start(`http://127.0.0.1:${port}/admin`);
    fixture = await adminFixture({ ...provider.settings, PAGES_PORT: `${port}`, LOG_LEVEL: 'debug' });
    const { client } = fixture.server;
    const person = { name: 'Sam', email: 'sam@shop.example', role: 'staff' };
    staff = (await client.post('/v1/users', person)).body.data.id;
  });
  after(async () => {
    await fixture?.close();
    await provider?.stop();
  });
  beforeEach(() => {
    Object.assign(provider, { lifetime: 600, refreshes: false, allowsOrigins: true });
    Object.assign(provider, { audience: provider.settings['JWT_AUDIENCE'] });
    provider.exchanges.length = 0;
    provider.requests.length = 0;
    provider.revoked = 0;
  });
  afterEach(async () => {
    expect(visited.problems).to.deep.equal([]);
    await visited.close();
  });

  const open = async (path = '/orders', options = {}): Promise<Page> => {
    visited = await fixture.open(path, { isSignedIn: false, elsewhere: provider.issuer, ...options });
    return visited.page;
  };
  const button = (page: Page) =>
    page.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` });
  const signInThere = async (page: Page, account = staff): Promise<void> => {
    await button(page).click();
    await page.getByLabel('Account').fill(account);
    await page.getByRole('button', { name: 'Sign in there' }).click();
  };
  const kept = (page: Page): Promise<Kept> =>
    page.evaluate(
      '({ session: { ...sessionStorage }, elsewhere: JSON.stringify(localStorage) + document.cookie + location.href })',
    );
  /** Waits until the API rejects a token that the page has kept, which it accepts for five seconds after its end. */
  const untilRejected = async (login = ''): Promise<void> => {
    const { accessToken } = JSON.parse(login);
    const client = new Client(() => fixture.server.client.base, accessToken);
    await until(
      () => client.get('/v1/users/me'),
      ({ status }) => status === 401,
      20_000,
    );
  };
  const errorOf = (page: Page): Promise<string> => page.getByRole('alert').innerText();
  /** That there were problems, all of this kind. */
  const expectProblems = (kind: RegExp): void => {
    const found = (visited.problems as string[]).splice(0);
    expect(found).not.to.deep.equal([]);
    expect(found.filter((problem) => !kind.test(problem))).to.deep.equal([]);
  };
  const grants = () => provider.exchanges.map(({ grant, error }) => (error ? `${grant}: ${error}` : grant));

  it('leads back to where one was, and keeps its tokens in the tab alone', async () => {
    const page = await open('/orders?status=paid');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await signInThere(page);
    await page.locator('a.row').first().waitFor();
    expect(page.url()).to.equal(`${fixture.origin}/admin#/orders?status=paid`);
    expect(grants()).to.deep.equal(['authorization_code']);
    const { session, elsewhere } = await kept(page);
    expect(Object.keys(session)).to.deep.equal(['portico-login']);
    const { accessToken } = JSON.parse(session['portico-login'] ?? '');
    const [, code = ''] = /[?&]code=([^&]+)/.exec(addresses.join(' ')) ?? [];
    expect(code).not.to.equal('');
    const { output, errors } = fixture.server.program;
    for (const part of accessToken.split('.'))
      expect([elsewhere, output, errors, ...addresses, ...provider.requests].join(' ')).not.to.contain(part);
    expect(elsewhere + output + errors).not.to.contain(code);
    const asked = new URL(addresses.find((address) => address.includes('code_challenge')) ?? '');
    expect(asked.searchParams.get('code_challenge_method')).to.equal('S256');
    expect(asked.searchParams.get('state')).to.match(/^[\w-]{43}$/);
    // Back and reload have no code to use again.
    await page.reload();
    await page.locator('a.row').first().waitFor();
    expect(grants()).to.deep.equal(['authorization_code']);
  });

  it('works by keyboard alone on a phone in the dark, and axe finds nothing', async () => {
    const page = await open('/', phone);
    await button(page).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Account').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(staff);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('says in plain words that the person has cancelled, and shows texts of the provider as text', async () => {
    const page = await open();
    await button(page).click();
    await page.getByRole('button', { name: 'Cancel there' }).click();
    expect(await errorOf(page)).to.contain('has not let you in, or you have cancelled');
    expect(await errorOf(page)).to.contain('“<b>Cancelled</b> there”');
    expect(page.url()).to.equal(`${fixture.origin}/admin#/orders`);
    expect(grants()).to.deep.equal([]);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('uses no callback that the tab has not asked for', async () => {
    const page = await open();
    await page.goto('/admin?error=server_error&error_description=Call+0900&state=stolen#//elsewhere.example');
    expect(await errorOf(page)).to.match(/^This sign-in was not begun in this tab/);
    expect(await errorOf(page)).not.to.contain('0900');
    await button(page).click();
    await page.getByLabel('Account').waitFor();
    await page.goto('/admin?code=stolen&state=wrong');
    expect(await errorOf(page)).to.match(/^This sign-in was not begun in this tab/);
    expect(page.url()).to.equal(`${fixture.origin}/admin`);
    expect((await kept(page)).session).to.deep.equal({});
    expect(grants()).to.deep.equal([]);
  });

  it('uses no callback twice, and stays signed in', async () => {
    const page = await open();
    let used = '';
    page.on('request', (request) => {
      if (request.url().includes('/admin?code=')) used = request.url();
    });
    await signInThere(page);
    await page.locator('a.row').first().waitFor();
    await page.goto(used);
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    expect(page.url()).to.equal(`${fixture.origin}/admin`);
    expect(grants()).to.deep.equal(['authorization_code']);
  });

  it('fails with another verifier', async () => {
    const page = await open();
    await page.route(`${provider.issuer}/token`, (route) => {
      const form = new URLSearchParams(route.request().postData() ?? '');
      form.set('code_verifier', 'a'.repeat(43));
      return route.continue({ postData: form.toString() });
    });
    await signInThere(page);
    expect(await errorOf(page)).to.contain('took too long, or it has been used already');
    expect(grants()).to.deep.equal(['authorization_code: invalid_grant']);
  });

  it('says who has to be added, and then asks for another account', async () => {
    const page = await open();
    const unknown = crypto.randomUUID();
    await signInThere(page, unknown);
    expect(await errorOf(page)).to.contain(`No user of this shop has the id ${unknown}`);
    expect((await kept(page)).session).to.deep.equal({});
    const { client } = fixture.server;
    const [customer] = (await client.get('/v1/users?role=customer&limit=1')).body.data;
    await signInThere(page, customer.id);
    await page.getByText('only staff can use this page').waitFor();
    await signInThere(page);
    await page.locator('a.row').first().waitFor();
  });

  it('names a token that is for another API', async () => {
    provider.audience = 'https://other.example';
    const page = await open();
    await signInThere(page);
    expect(await errorOf(page)).to.contain('gave a token for “https://other.example”');
    expect(await errorOf(page)).to.contain('JWT_AUDIENCE');
  });

  it('says what the provider must allow when it rejects requests from pages', async () => {
    provider.allowsOrigins = false;
    const page = await open();
    await signInThere(page);
    expect(await errorOf(page)).to.contain(`must allow requests (CORS) from ${fixture.origin}`);
    expectProblems(/CORS policy|net::ERR_FAILED/);
  });

  it('is renewed while one works, once for all requests, and every token is used once', async () => {
    Object.assign(provider, { refreshes: true, lifetime: 2 });
    const page = await open('/');
    await signInThere(page);
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    const first = (await kept(page)).session['portico-login'];
    await untilRejected(first);
    for (const name of ['Orders', 'Today', 'Customers']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      await page.locator('main:not(:has(.loading))').waitFor();
    }
    expect(await page.getByRole('alert').count()).to.equal(0);
    const again = grants().filter((grant) => grant === 'refresh_token');
    expect(again.length).to.be.greaterThan(0);
    expect(grants()).to.deep.equal(['authorization_code', ...again]);
    expect((await kept(page)).session['portico-login']).not.to.equal(first);
  });

  it('is renewed once for all copies of a tab, which stay signed in', async () => {
    Object.assign(provider, { refreshes: true, lifetime: 2 });
    const page = await open('/orders');
    await signInThere(page);
    await page.locator('a.row').first().waitFor();
    const first = (await kept(page)).session['portico-login'];
    const opened = page.waitForEvent('popup');
    // It has all that the tab keeps, as a copy has.
    await page.evaluate("void open('/admin#/orders')");
    const copy = await opened;
    await copy.locator('a.row').first().waitFor();
    await untilRejected(first);
    provider.lifetime = 600;
    const show = async (tab: Page, name: string): Promise<void> => {
      await tab.getByRole('link', { name, exact: true }).click();
      await tab.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      await tab.locator('main:not(:has(.loading))').waitFor();
      expect(await tab.getByRole('alert').count()).to.equal(0);
    };
    await Promise.all([show(page, 'Customers'), show(copy, 'Customers')]);
    await Promise.all([show(copy, 'Products'), show(page, 'Products')]);
    const [authorized, ...again] = grants();
    expect(authorized).to.equal('authorization_code');
    expect([...new Set(again)]).to.deep.equal(['refresh_token']);
    expect(await kept(copy)).to.deep.equal(await kept(page));
    await copy.close();
  });

  it('cannot begin where the browser stores nothing, and says so; a key works until the page is loaded anew', async () => {
    const page = await open('/orders');
    await page.addInitScript(forbidStorage);
    await page.reload();
    await button(page).click();
    expect(await errorOf(page)).to.contain('Your browser stores nothing for this page');
    expect(provider.requests).to.deep.equal([]);
    await page.getByText('Sign in with a key', { exact: true }).click();
    await signIn(page, fixture.server.client.token ?? '');
    await page.locator('a.row').first().waitFor();
    await page.reload();
    await button(page).waitFor();
  });

  it('ends with its token, and goes on where one was', async () => {
    provider.lifetime = 1;
    const page = await open('/orders');
    await signInThere(page);
    await page.locator('a.row').first().waitFor();
    await untilRejected((await kept(page)).session['portico-login']);
    await page.locator('a.row').first().click();
    expect(await errorOf(page)).to.equal('Your sign-in has ended. Sign in again to go on where you were.');
    const place = page.url();
    expect((await kept(page)).session).to.deep.equal({});
    provider.lifetime = 600;
    // The person is still signed in there.
    await button(page).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(page.url())
      .to.equal(place)
      .and.match(/#\/orders\/[\w-]+$/);
  });

  it('ends here and there with a sign-out', async () => {
    provider.refreshes = true;
    const page = await open();
    await signInThere(page);
    await page.locator('a.row').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out there' }).click();
    await button(page).waitFor();
    expect((await kept(page)).session).to.deep.equal({});
    await until(
      async () => provider.revoked,
      (count) => count > 0,
    );
    expect(provider.requests.filter((request) => /session\/end/.test(request))[0]).to.match(
      /client_id=portico-admin/,
    );
    await button(page).click();
    await page.getByLabel('Account').waitFor();
    // A later sign-in with an API key is no matter of the provider.
    await page.goto('/admin');
    await page.getByText('Sign in with a key').click();
    await signIn(page, fixture.server.client.token ?? '');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await button(page).waitFor();
    expect(page.url()).to.match(new RegExp(`^${fixture.origin}/admin`));
  });

  it('lets the page reach the token endpoints, and nothing else', async () => {
    const { headers } = await fetch(`${fixture.origin}/admin`);
    const { issuer } = provider;
    expect(headers.get('Content-Security-Policy')?.split('; ')).to.deep.equal([
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"],
      `connect-src 'self' ${issuer}/token ${issuer}/token/revocation`,
      ...["form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
    ]);
    for (const path of ['/docs', '/admin/assets/app.ts']) {
      const policy = (await fetch(fixture.origin + path)).headers.get('Content-Security-Policy');
      expect(policy).to.contain("; connect-src 'self'; ");
    }
    const page = await open();
    await button(page).waitFor();
    const reach = (url: string) =>
      page.evaluate(`new Promise((resolve) => {
        addEventListener('securitypolicyviolation', () => resolve(false), { once: true });
        fetch(${JSON.stringify(url)}, { method: 'POST', mode: 'no-cors' }).then(() => resolve(true), () => undefined);
      })`);
    expect(await reach(`${issuer}/token`)).to.equal(true);
    for (const url of [`${issuer}/me`, `${issuer}/token/`, issuer, 'http://127.0.0.1:9/token'])
      expect(await reach(url), url).to.equal(false);
    expect(visited.problems.length).to.be.greaterThan(0);
    expect(visited.problems.filter((problem) => !/connect-src|Fetch API|csp/.test(problem))).to.deep.equal(
      [],
    );
    (visited.problems as string[]).splice(0);
  });
});
