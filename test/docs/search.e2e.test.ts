import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../admin/fixture.ts';
import { reasonToSkip } from './browser.ts';
import { type DocsFixture, docsFixture } from './docs-fixture.ts';

describe(`The search of the docs in a browser${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let fixture: DocsFixture;
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search the docs' });
  const input = (page: Page) => page.getByRole('combobox', { name: 'Search' });
  /** What a screen reader reads while the focus stays in the field. */
  const selected = (page: Page) => page.locator('[role="option"][aria-selected="true"]');

  before(async function () {
    if (reasonToSkip) return this.skip();
    fixture = await docsFixture();
  });
  afterEach(() => fixture.closeTabs());
  after(() => fixture?.close());

  it('leads to an operation by the keyboard alone', async () => {
    const page = await fixture.open('/docs/guides/first-order');
    await page.keyboard.press('Control+k');
    await input(page).waitFor();
    await page.keyboard.type('refund');
    await selected(page).filter({ hasText: 'Refund a payment' }).waitFor();
    expect(await selected(page).locator('mark').allInnerTexts()).to.include.members(['Refund', 'refund']);
    const active = async () => [
      await input(page).getAttribute('aria-activedescendant'),
      await selected(page).getAttribute('id'),
    ];
    const [first, firstId] = await active();
    expect(first).to.equal(firstId);
    await page.keyboard.press('ArrowDown');
    const [second, secondId] = await active();
    expect(second).to.equal(secondId).and.not.equal(first);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/refunds#createRefund');
    expect(await dialog(page).count()).to.equal(0);
  });

  it('is opened by / where nothing is typed, and by its button; Escape closes it', async () => {
    const page = await fixture.open('/docs/guides/errors');
    await page.keyboard.press('/');
    await input(page).waitFor();
    expect(await input(page).inputValue()).to.equal('');
    await page.keyboard.type('a/b');
    expect(await input(page).inputValue()).to.equal('a/b');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Search' }).click();
    await input(page).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.className')).to.equal('search-button');
  });

  it('is loaded when it is opened first, once', async () => {
    const page = await fixture.open('/docs/guides/errors');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.waitForLoadState('networkidle');
    expect(requested).not.to.include('/docs/search.json');
    for (let times = 0; times < 2; times++) {
      await page.keyboard.press('Control+k');
      await page.getByText('Searches the guides').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
    }
    expect(requested.filter((path) => path === '/docs/search.json')).to.have.length(1);
  });

  it('goes to a heading of the same page, below the header', async () => {
    const page = await fixture.open('/docs/api');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('order.paid');
    await selected(page).filter({ hasText: 'order.paid' }).click();
    await page.locator('h3#events:target').waitFor();
    await dialog(page).waitFor({ state: 'hidden' });
    const top = await page.evaluate<number>(`document.querySelector('#events').getBoundingClientRect().top`);
    expect(top).to.be.within(56, 88);
  });

  it('says what it has found, and when it has found nothing', async () => {
    const page = await fixture.open('/docs/guides/errors');
    const status = dialog(page).getByRole('status');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('webhook');
    await status.filter({ hasText: /^\d+ results$/ }).waitFor();
    expect(await page.getByRole('listbox', { name: 'Results' }).getByRole('group').count()).to.be.greaterThan(
      2,
    );
    expect(await page.getByRole('group', { name: 'Operations' }).getByRole('option').count()).to.equal(6);
    await input(page).fill('<zzzz>');
    await status.filter({ hasText: 'Nothing is found for “<zzzz>”. Try fewer or other words' }).waitFor();
    await input(page).fill('<img src=x onerror=alert(1)>');
    await status.filter({ hasText: /^\d+ results?$/ }).waitFor();
    expect(await dialog(page).locator('img').count()).to.equal(0);
    await input(page).fill('<zzzz>');
    await status.filter({ hasText: 'Try fewer or other words' }).waitFor();
    expect(await selected(page).count()).to.equal(0);
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).to.equal('/docs/guides/errors');
  });

  it('says that it cannot be loaded, and tries again when it is opened again', async () => {
    const page = await fixture.open('/docs/guides/errors');
    await page.route('**/docs/search.json', (route) => route.fulfill({ status: 304 }), { times: 1 });
    await page.keyboard.press('Control+k');
    await dialog(page).getByText('cannot be loaded').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    await dialog(page).getByText('Searches the guides').waitFor();
  });

  it('is accessible, and fits the window', async () => {
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [390, 'dark'],
    ] as const) {
      const page = await fixture.open('/docs/guides/errors', { width, colorScheme });
      await page.getByRole('button', { name: 'Search' }).click();
      await input(page).fill('idempotency key');
      await selected(page).waitFor();
      expect(await accessibilityProblems(page), `${width} ${colorScheme}`).to.deep.equal([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      const box = await dialog(page).boundingBox();
      expect(box?.width).to.equal(width === 390 ? 390 : 704);
    }
  });

  it('suggests pages for an address that names nothing', async () => {
    const page = await fixture.open('/docs');
    // Chromium logs the status of the page itself.
    page.removeAllListeners('console');
    await page.goto('/docs/guides/first-oder');
    await page.locator('#suggestions').getByRole('link', { name: 'A first paid order' }).first().click();
    await page.waitForURL('**/docs/guides/first-order');
    await page.goto('/docs/%E0%A4%A');
    await page.getByRole('button', { name: 'Search the docs' }).click();
    await input(page).waitFor();
  });
});
