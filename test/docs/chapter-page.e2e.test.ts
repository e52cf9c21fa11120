import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { reasonToSkip } from './browser.ts';
import { type DocsStage, docsStage } from './docs-stage.ts';

/** The header, and the distances that the target of a link may keep from it. */
const [headerHeight, lowest] = [56, 200];

describe(`A page of the reference, read in a browser${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, function () {
  this.timeout(60_000);
  let stage: DocsStage;
  const current = (page: Page) => page.locator('.contents [aria-current="location"]');
  const permissions = ['clipboard-read', 'clipboard-write'];
  const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');
  const topOf = (page: Page, id: string) =>
    page.evaluate<number>(`document.getElementById(${JSON.stringify(id)}).getBoundingClientRect().top`);

  /** The page scrolls to it in the end, and nothing that loads later moves it away. */
  const expectToRest = async (page: Page, id: string): Promise<void> => {
    const isInView = (top: number): boolean => top >= headerHeight && top <= lowest;
    await until(() => topOf(page, id), isInView);
    await page.waitForTimeout(500);
    await until(() => topOf(page, id), isInView);
  };

  before(async function () {
    if (reasonToSkip) return this.skip();
    stage = await docsStage();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage?.close());

  it('marks in the contents which operation is being read', async () => {
    const page = await stage.open('/docs/reference/orders');
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
        const page = await stage.open(`/docs/reference/orders#${id}`, { width });
        await expectToRest(page, id);
      }
    });

    it(`unfolds the field that a link names (${width} px)`, async () => {
      const id = 'createOrder.body.new-order-of-product.shipping_address.city';
      const page = await stage.open(`/docs/reference/orders#${id}`, { width });
      await page.locator(`[id="${id}"]:target`).waitFor();
      await expectToRest(page, id);
    });
  }

  it('copies the request in the language that is shown, the response, and links', async () => {
    const page = await stage.open('/docs/reference/orders#createOrder', { permissions });
    const operation = page.locator('#createOrder');
    await operation.getByRole('button', { name: 'Copy Request of “Create an order”' }).click();
    expect(await clipboard(page)).to.match(/^curl .*\/v1\/orders'.*\}'$/s);
    await operation.getByText('TypeScript', { exact: true }).click();
    await operation.getByRole('button', { name: 'Copy Request' }).click();
    expect(await clipboard(page)).to.match(/^import .*POST \/orders/s);
    await operation.getByRole('button', { name: 'Copy Response 201' }).click();
    expect(JSON.parse(await clipboard(page)).data.status).to.equal('pending');
    await operation.getByRole('link', { name: 'Create an order' }).click();
    expect(await clipboard(page)).to.equal(`${stage.served.url}/docs/reference/orders#createOrder`);
    await page.getByRole('status').filter({ hasText: 'Link copied.' }).waitFor();
  });
});
