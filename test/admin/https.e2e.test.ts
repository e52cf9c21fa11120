import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { type OpenBrowser, openBrowser, reasonToSkip } from '../docs/browser.ts';
import { tls } from '../http/support/certificate.ts';
import { signIn } from './fixture.ts';

/** More than the six connections that a browser opens to an origin by HTTP/1.1. */
const tabs = 8;

interface FeedPage {
  readonly data: readonly { readonly type: string }[];
  readonly links: { readonly resume: string };
}

/** Runs in the page. Reads the feed from its end, waits for the next events however long they take, and returns their types. */
const waitForEvents = async (key: string): Promise<readonly string[]> => {
  const read = async (path: string, waiting?: object): Promise<FeedPage> => {
    const response = await fetch(path, { headers: { Authorization: `Bearer ${key}`, ...waiting } });
    return JSON.parse(await response.text());
  };
  let page = await read('/v1/events?start=latest');
  while (page.data.length === 0) page = await read(page.links.resume, { Prefer: 'wait=30' });
  return page.data.map(({ type }) => type);
};

/** Runs in the page. */
const createUser = async (key: string): Promise<void> => {
  const response = await fetch('/v1/users', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'eighth-tab@example.com', name: 'Ada' }),
  });
  if (!response.ok) throw new Error(await response.text());
};

describe(`The admin page over HTTPS without a proxy${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let server: Server;
  let browser: OpenBrowser;
  let reader: BrowserContext;

  before(async function () {
    if (reasonToSkip) return this.skip();
    const port = await freePort();
    server = await startServer({
      ...{ DATABASE_URL: 'memory:', SEED_DEMO: '1', ADMIN_PAGE: '1' },
      ...{ PAGES_HOST: '127.0.0.1', PAGES_PORT: `${port}` },
      ...tls,
    });
    browser = await openBrowser();
    reader = await browser.newContext({ baseURL: `https://127.0.0.1:${port}`, ignoreHTTPSErrors: true });
    reader.setDefaultTimeout(30_000);
  });
  after(async () => {
    await browser?.close();
    await server?.program.kill();
  });

  const openSignedIn = async (): Promise<Page> => {
    const page = await reader.newPage();
    await page.goto('/admin#/orders');
    await signIn(page, server.client.token ?? '');
    await page.locator('a.row').first().waitFor();
    return page;
  };

  it('shows its orders in eight tabs that are opened at once, beside one that waits for an event', async () => {
    const waiting = await openSignedIn();
    const started = waiting.waitForRequest(/\/v1\/events\?.*cursor=/);
    const types = waiting.evaluate(waitForEvents, server.client.token ?? '');
    await started;
    const pages = await Promise.all(Array.from({ length: tabs }, openSignedIn));
    await pages[0]?.evaluate(createUser, server.client.token ?? '');
    expect(pages).to.have.length(tabs);
    expect(await types).to.include('user.created');
  });
});
