import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { atEndOfRun } from '../support/test-run.ts';

const { TEST_CHROMIUM: named, TEST_SLOW_PAGES: slow } = process.env;

/** The first is Chromium without the windows that nothing here looks at, and takes half of the processor time. */
const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executablePath = (named ? [named] : usual).find((place) => existsSync(place));

/** Why the browser tests cannot run; undefined when they can. */
export const reasonToSkip =
  executablePath === undefined
    ? 'no Chromium: apt-get install chromium-headless-shell, or name one in TEST_CHROMIUM'
    : undefined;

/** No requests of its own. As root, as in a container, Chromium cannot have a sandbox. */
const flags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=127.0.0.1',
];

let running: Promise<Browser> | undefined;

const launch = async (): Promise<Browser> => {
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: flags });
  // After a crash the next file has another one.
  browser.on('disconnected', () => {
    running = undefined;
  });
  return browser;
};

/** Ends the browser of this process. In a worker of Mocha it ends with the process. */
export const closeBrowser = async (): Promise<void> => {
  const browser = await running?.catch(() => undefined);
  await browser?.close();
};

/** Contexts of the one browser of this process. */
export interface OpenBrowser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens a page in a context of its own. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Closes the contexts that were opened through this object. */
  close(): Promise<void>;
}

/**
 * All files that a process runs share a browser, one after the other: a start takes as long as several tests. Each process has its
 * own, because the clipboard belongs to the browser.
 */
export const openBrowser = async (): Promise<OpenBrowser> => {
  if (running === undefined) {
    running = launch();
    atEndOfRun(closeBrowser);
  }
  const browser = await running;
  const opened: BrowserContext[] = [];
  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext(options);
    if (arePagesSlow) await slowDown(context);
    opened.push(context);
    return context;
  };
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => {
      await Promise.all(opened.splice(0).map((context) => context.close()));
    },
  };
};

export const arePagesSlow = slow === '1';

/** Pages and their data come late, as on a bad network: a test that does not wait for what it reads fails. */
const slowDown = async (context: BrowserContext): Promise<void> => {
  await context.route('**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const isLate = route.request().resourceType() === 'document' || /^\/v1\/|\.json$/.test(pathname);
    if (isLate) await pause(400);
    await route.continue().catch(() => undefined);
  });
};

/** An open page, and all its problems. */
export interface Visit {
  readonly page: Page;
  /** Messages on the console, errors of scripts, and requests to other origins. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** Opens a browser context for an origin, with a cache and storage of its own. */
export const newReader = async (
  browser: OpenBrowser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const reader = await browser.newContext({ baseURL: origin, ...options });
  reader.setDefaultTimeout(30_000);
  return reader;
};

/**
 * @param origin the only origin that the page may load from
 * @param elsewhere one more, with errors of its own
 */
export const visit = async (reader: BrowserContext, origin: string, elsewhere?: string): Promise<Visit> => {
  const page = await reader.newPage();
  const problems: string[] = [];
  // Chromium logs every status from 400 on. An error of the API that the test causes is no problem, nor is 503: a machine that is
  // too busy for its tests is overloaded, and the page tries again.
  page.on('console', (message) => {
    const isApiError = /^Failed to load resource: .* status of (4\d\d|503)/.test(message.text());
    const { origin: from, pathname } = new URL(message.location().url || origin);
    if (!isApiError || !(pathname.startsWith('/v1/') || from === elsewhere))
      problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, origin: from } = new URL(request.url());
    if (protocol !== 'data:' && from !== origin && from !== elsewhere)
      problems.push(`requested elsewhere: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // Leaving a page aborts what it was still loading.
    if (reason !== 'net::ERR_ABORTED') problems.push(`${reason}: ${request.url()}`);
  });
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error(violatedDirective))`,
  );
  return { page, problems, close: () => page.close() };
};
