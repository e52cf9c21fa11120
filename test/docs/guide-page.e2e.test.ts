import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../admin/fixture.ts';
import { reasonToSkip } from './browser.ts';
import { type DocsFixture, docsFixture } from './docs-fixture.ts';
import { settledTop } from './settled-top.ts';

/** The header, and the distance that a target of a link keeps from it. */
const headerHeight = 56 + 32;

describe(`A guide in a browser${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let fixture: DocsFixture;
  const current = (page: Page) => page.locator('.outline [aria-current="location"]');

  before(async function () {
    if (reasonToSkip) return this.skip();
    fixture = await docsFixture();
  });
  afterEach(() => fixture.closeTabs());
  after(() => fixture?.close());

  it('marks in its contents what is being read, while the reader scrolls', async () => {
    const page = await fixture.open('/docs/api');
    expect(await current(page).count()).to.equal(0);
    await page.evaluate(`scrollTo(0, document.querySelector('#waiting').getBoundingClientRect().top - 120)`);
    await current(page)
      .filter({ hasText: /^Waiting$/ })
      .waitFor();
    await page.keyboard.press('End');
    await current(page)
      .filter({ hasText: /^Generated clients$/ })
      .waitFor();
    expect(await current(page).count()).to.equal(1);
    await page.keyboard.press('Home');
    await current(page).waitFor({ state: 'detached' });
  });

  it('scrolls to what a link names, below the header, and marks it', async () => {
    for (const width of [1440, 390]) {
      const page = await fixture.open('/docs/api#errors', { width });
      expect(await settledTop(page, 'h2#errors')).to.be.within(56, headerHeight);
      const ground = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('h2#errors')).backgroundColor`,
      );
      expect(ground).not.to.equal('rgba(0, 0, 0, 0)');
    }
  });

  it('has contents in a narrow window too, closed until they are asked for', async () => {
    const page = await fixture.open('/docs/api', { width: 390 });
    const link = page.locator('.outline a', { hasText: 'Waiting' });
    await link.waitFor({ state: 'hidden' });
    await page.locator('.outline summary').click();
    await link.click();
    await page.locator('h2#waiting:target').waitFor();
    await link.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
  });

  it('copies each block of code, and the link of each heading', async () => {
    const page = await fixture.open('/docs/guides/errors', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const isSaid = (text: string) => page.getByRole('status').getByText(text).waitFor();
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    const blocks = page.locator('.block');
    expect(await blocks.locator('.copy').count()).to.equal(await blocks.count());
    await page.getByRole('button', { name: 'Copy Output' }).first().click();
    await isSaid('Output copied.');
    expect(await clipboard()).to.match(/^\{\n {2}"error": \{.*\}$/s);
    await page.locator('#what-to-do').hover();
    await page.getByRole('link', { name: 'Link to “What to do”' }).click();
    await isSaid('Link copied.');
    expect(await clipboard()).to.equal(`${fixture.served.url}/docs/guides/errors#what-to-do`);
  });

  it('copies the reader’s own key', async () => {
    const page = await fixture.open('/docs/guides/errors', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page
      .locator('code', { hasText: /KEY=ptc_\w{40}/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Copy Shell' }).first().click();
    await page.getByRole('status').getByText('Shell copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.match(/\nKEY=ptc_\w{40,}$/);
  });

  it('selects the code where the browser offers no clipboard', async () => {
    const page = await fixture.open('about:blank');
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.goto('/docs/guides/errors');
    await page.getByRole('button', { name: 'Copy Output' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Output selected. Press Ctrl+C to copy.').waitFor();
    expect(await page.evaluate('getSelection().toString()')).to.match(/^\{\s+"error"/);
  });

  it('leads to the guides before and after it', async () => {
    const page = await fixture.open('/docs/guides/first-order');
    const neighbours = page.getByRole('navigation', { name: 'Guides before and after' });
    expect(await neighbours.locator('a').allInnerTexts()).to.have.length(1);
    await neighbours.getByRole('link', { name: 'Next Idempotent retries' }).click();
    await page.waitForURL('**/docs/guides/idempotent-retries');
    await neighbours.getByRole('link', { name: 'Previous A first paid order' }).click();
    await page.waitForURL('**/docs/guides/first-order');
  });

  it('is accessible, and never wider than the window', async () => {
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const page = await fixture.open('/docs/guides/errors', { width, colorScheme });
      await page.locator('.copy').first().waitFor();
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
    }
  });
});
