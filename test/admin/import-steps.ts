import type { Locator, Page } from 'playwright-core';

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
