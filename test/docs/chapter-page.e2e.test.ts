import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { reasonToSkip } from './browser.ts';
import { type DocsFixture, docsFixture } from './docs-fixture.ts';
import { settledTop } from './settled-top.ts';

/** The header, and the distances that the target of a link may keep from it. */
const [headerHeight, lowest] = [56, 200];

describe(`A page of the reference, read in a browser${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let fixture: DocsFixture;
  const current = (page: Page) => page.locator('.contents [aria-current="location"]');
  const permissions = ['clipboard-read', 'clipboard-write'];
  /** Waits until the clipboard has a text. */
  const copied = (page: Page, text: RegExp): Promise<string> =>
    until(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (kept) => text.test(kept),
    );
  const topOf = (page: Page, id: string) => settledTop(page, `[id="${id}"]`);

  before(async function () {
    if (reasonToSkip) return this.skip();
    fixture = await docsFixture();
  });
  afterEach(() => fixture.closeTabs());
  after(() => fixture?.close());

  it('marks in the contents which operation is being read', async () => {
    const page = await fixture.open('/docs/reference/orders');
    expect(await current(page).count()).to.equal(0);
    await page.evaluate(`document.querySelector('#updateOrder').scrollIntoView()`);
    await current(page).filter({ hasText: 'Update, cancel or fulfill an order' }).waitFor();
    await page.evaluate(`document.querySelector('#createOrderItem').scrollIntoView()`);
    await current(page).filter({ hasText: 'Add an item to an order' }).waitFor();
    expect(await current(page).count()).to.equal(1);
    await page.keyboard.press('Home');
    await current(page).waitFor({ state: 'detached' });
  });

  for (const width of [1440, 390]) {
    it(`scrolls to the operation, the object or the field that a link names (${width} px)`, async () => {
      for (const id of ['deleteOrderItem', 'object-Order', 'object-Order.status', 'createOrder']) {
        const page = await fixture.open(`/docs/reference/orders#${id}`, { width });
        expect(await topOf(page, id), id).to.be.within(headerHeight, lowest);
      }
    });

    it(`unfolds the field that a link names (${width} px)`, async () => {
      const id = 'createOrder.body.new-order-of-product.shipping_address.city';
      const page = await fixture.open(`/docs/reference/orders#${id}`, { width });
      await page.locator(`[id="${id}"]:target`).waitFor();
      expect(await topOf(page, id)).to.be.within(headerHeight, lowest);
    });
  }

  it('copies the request in the language that is shown, the response, and links', async () => {
    const page = await fixture.open('/docs/reference/orders#createOrder', { permissions });
    const operation = page.locator('#createOrder');
    await operation.getByRole('button', { name: 'Copy Request of “Create an order”' }).click();
    await copied(page, /^curl .*\/v1\/orders'.*\}'$/s);
    await operation.getByText('TypeScript', { exact: true }).click();
    await operation.getByRole('button', { name: 'Copy Request' }).click();
    await copied(page, /^import .*POST \/orders/s);
    await operation.getByRole('button', { name: 'Copy Response 201' }).click();
    expect(JSON.parse(await copied(page, /^\{/)).data.status).to.equal('pending');
    await operation.getByRole('link', { name: 'Create an order' }).click();
    expect(await copied(page, /^http/)).to.equal(`${fixture.served.url}/docs/reference/orders#createOrder`);
    await page.getByRole('status').filter({ hasText: 'Link copied.' }).waitFor();
  });
});
