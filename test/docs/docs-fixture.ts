import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { newReader, type OpenBrowser, openBrowser, type Visit, visit } from './browser.ts';
import { type Served, serve } from './served.ts';

interface Options extends BrowserContextOptions {
  readonly width?: number;
}

/** A service with the demonstration, and a browser whose tabs must have no problems. */
export interface DocsFixture {
  readonly served: Served;
  /** Opens a page in a tab with storage of its own. */
  open(path: string, options?: Options): Promise<Page>;
  /** Closes all tabs, and checks that none had a problem. */
  closeTabs(): Promise<void>;
  close(): Promise<void>;
}

export const docsFixture = async (): Promise<DocsFixture> => {
  const served = await serve();
  const browser: OpenBrowser = await openBrowser();
  const opened: Visit[] = [];
  return {
    served,
    open: async (path, { width = 1440, ...options } = {}) => {
      const viewport = { width, height: 800 };
      const visited = await visit(await newReader(browser, served.url, { viewport, ...options }), served.url);
      opened.push(visited);
      await visited.page.goto(path);
      return visited.page;
    },
    closeTabs: async () => {
      for (const { page, problems } of opened.splice(0)) {
        await page.context().close();
        expect(problems).to.deep.equal([]);
      }
    },
    close: async () => {
      await browser.close();
      await served.close();
    },
  };
};
