import type { Page } from 'playwright-core';
import { type AdminFixture, adminFixture } from '../../admin/fixture.ts';
import { closeBrowser, reasonToSkip } from '../../docs/browser.ts';
import { openDatabase } from '../../lab/databases.ts';
import { median } from '../../lab/statistics.ts';
import type { Conditions, Finding, Trial } from '../trial.ts';
import { fillShop } from './shop.ts';

/** What a person notices, in milliseconds: no view may be slower by more than this in a large shop than in a small one. */
const noticed = 100;

const [fewOrders, rounds] = [10, 7];

/** What is opened, and what is there when it is done. */
const views: Readonly<Record<string, (shop: Shop) => readonly [path: string, done: string]>> = {
  Today: () => ['/', '.tasks .card:nth-child(2) li'],
  Orders: () => ['/orders', 'a.row'],
  'orders to pack': () => ['/orders?status=paid', 'a.row'],
  'an order': ({ order }) => [`/orders/${order.id}`, '.sums'],
  'an order by its number': ({ order }) => [`/orders?q=${order.number}`, 'a.row'],
  'the orders of an e-mail address': () => ['/orders?q=customer-0@example.com', 'a.row'],
  Products: () => ['/products', 'a.row'],
  'products by words': () => ['/products?q=product 7', 'a.row'],
  'products low in stock': () => ['/products?status=active&stock_below=5', 'a.row'],
  Customers: () => ['/customers', 'a.row'],
};

interface Shop {
  readonly fixture: AdminFixture;
  readonly page: Page;
  readonly order: { readonly id: string; readonly number: string };
}

/** Opens each view of the admin page in a large and a small shop. */
export const adminPage: Trial = {
  name: 'admin-page',
  description: `opens the views of the admin page with 100,000 orders and with ${fewOrders}; expects at most ${noticed} ms more`,
  run: async ({ isShort, log, cleanUp }) => {
    if (reasonToSkip) throw new Error(reasonToSkip);
    cleanUp.defer(closeBrowser);
    const count = isShort ? 20_000 : 100_000;
    const begun = performance.now();
    const [large, small] = [await openShop({ cleanUp }, count), await openShop({ cleanUp }, fewOrders)];
    log(`filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    const findings: Finding[] = [];
    for (const [name, view] of Object.entries(views)) {
      const times: { large: number[]; small: number[] } = { large: [], small: [] };
      for (let round = 0; round < rounds; round += 1) {
        times.large.push(await timeOf(large, view));
        times.small.push(await timeOf(small, view));
      }
      const [ofLarge, ofSmall] = [median(times.large), median(times.small)];
      findings.push({
        expected: `${name} takes at most ${noticed} ms longer with ${count.toLocaleString('en')} orders`,
        seen: `${ofLarge.toFixed(0)} ms, with ${fewOrders} ${ofSmall.toFixed(0)} ms`,
        held: ofLarge - ofSmall <= noticed,
        isTimed: true,
      });
    }
    return findings;
  },
};

const openShop = async ({ cleanUp }: Pick<Conditions, 'cleanUp'>, count: number): Promise<Shop> => {
  const { url } = await openDatabase('sqlite', { cleanUp });
  await fillShop(url, count);
  const fixture = await adminFixture({ DATABASE_URL: url, SEED_DEMO: '0' });
  cleanUp.defer(() => fixture.close());
  const { page } = await fixture.open('/keys');
  const [order] = (await fixture.server.client.get('/v1/orders?limit=1')).body.data;
  return { fixture, page, order };
};

/** How long it takes from the click until everything is shown, in milliseconds. */
const timeOf = async (shop: Shop, view: (typeof views)[string]): Promise<number> => {
  const { page } = shop;
  const [path, done] = view(shop);
  await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  const begun = performance.now();
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
  await page.locator(done).first().waitFor();
  while ((await page.locator('.loading, [aria-busy=true]').count()) > 0);
  return performance.now() - begun;
};
