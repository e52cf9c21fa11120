import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { newReader, type OpenBrowser, openBrowser, type Visit, visit } from '../docs/browser.ts';
import { until } from '../support/until.ts';

interface OpenOptions extends BrowserContextOptions {
  readonly isSignedIn?: boolean;
  /** Another origin with which the page has to do. */
  readonly elsewhere?: string;
}

/** A server with the demonstration, and a browser. */
export interface AdminFixture {
  readonly server: Server;
  readonly origin: string;
  /** Opens the page in a tab of its own, signed in unless told otherwise. */
  open(path?: string, options?: OpenOptions): Promise<Visit>;
  close(): Promise<void>;
}

export const adminFixture = async (
  environment: Readonly<Record<string, string>> = {},
): Promise<AdminFixture> => {
  const { PAGES_PORT: port = `${await freePort()}` } = environment;
  const server = await startServer({
    ...{ DATABASE_URL: 'memory:', SEED_DEMO: '1', ADMIN_PAGE: '1' },
    ...{ PAGES_HOST: '127.0.0.1', PAGES_PORT: port },
    ...environment,
  });
  const browser: OpenBrowser = await openBrowser();
  const origin = `http://127.0.0.1:${port}`;
  return {
    ...{ server, origin },
    open: async (path = '/', { isSignedIn = true, elsewhere, ...options } = {}) => {
      const reader = await newReader(browser, origin, options);
      const visited = await visit(reader, origin, elsewhere);
      await visited.page.goto(`/admin#${path}`);
      if (isSignedIn) await signIn(visited.page, server.client.token ?? '');
      return { ...visited, close: () => reader.close() };
    },
    close: async () => {
      await browser.close();
      await server.program.kill();
    },
  };
};

export const signIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('Key').fill(key);
  await page.keyboard.press('Enter');
  // In a narrow window it is behind a button.
  await page.locator('#menu').waitFor({ state: 'attached' });
};

/** A script that lets the browser store nothing for a page, as one does that blocks its cookies and data. */
export const forbidStorage = `for (const name of ['sessionStorage', 'localStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); } });`;

/**
 * Waits until the list has these rows in this order, or this many, and is not loading. Playwright's own `waitForFunction` evaluates
 * a text in the page, which the policy of the page forbids, once the first look has not been enough.
 */
export const rowsAre = (page: Page, expected: number | readonly string[]): Promise<unknown> =>
  until(
    async () => ({
      rows: await page.locator('a.row').allInnerTexts(),
      loading: await page.locator('[aria-busy=true]').count(),
    }),
    ({ rows, loading }) =>
      loading === 0 &&
      (typeof expected === 'number'
        ? rows.length === expected
        : JSON.stringify(rows) === JSON.stringify(expected)),
    30_000,
  );

const axe = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** What axe finds wrong with the page as it is now, for people with disabilities. */
export const accessibilityProblems = async (page: Page): Promise<readonly string[]> => {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await readFile(axe, 'utf8'));
  const found: { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] } =
    await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
};
