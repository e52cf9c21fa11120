import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page, Request } from 'playwright-core';

/** Chooses a file on the page of imports. */
export const chooseFile = (page: Page, content: string | Uint8Array, name = 'list.csv'): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content as Uint8Array) });

/**
 * Lets the first changes of products through and holds what follows, so that an import is under way until that is released.
 * @returns what releases them
 */
export const holdImport = async (page: Page): Promise<() => void> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let changes = 0;
  await page.route('**/v1/products*', async (route) => {
    if (route.request().method() !== 'GET') changes += 1;
    if (changes > 5) await released;
    await route.continue().catch(() => undefined);
  });
  return release;
};

export const sendButton = (page: Page): Locator => page.getByRole('button', { name: /^Import \d/ });

export const sendFile = (page: Page): Promise<void> => sendButton(page).click();

/** Waits for the report. @returns its counts */
export const countsOf = async (page: Page, timeout?: number): Promise<string> => {
  await page
    .getByRole('heading', { name: /^(Done|Stopped)/ })
    .waitFor(timeout === undefined ? {} : { timeout });
  return (await page.locator('.counts').innerText()).replaceAll(/\s+/g, ' ');
};

/**
 * Lets the waits of the page between two tries pass at once, but not while a request is under way, which would time out.
 * @returns waits for the report so, and returns its counts
 */
export const retryAtOnce = async (page: Page): Promise<() => Promise<string>> => {
  await page.clock.install();
  const underWay = new Set<Request>();
  page.on('request', (request) => underWay.add(request));
  const end = (request: Request) => underWay.delete(request);
  page.on('requestfinished', end).on('requestfailed', end);
  return async () => {
    let isOver = false;
    const counts = countsOf(page, 60_000).finally(() => {
      isOver = true;
    });
    while (!isOver) await (underWay.size === 0 ? page.clock.runFor(500) : pause(10));
    return counts;
  };
};
