import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const { TEST_CHROMIUM: named } = process.env;

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executablePath = (named ? [named] : usual).find((place) => existsSync(place));

/** Why the tests in a browser cannot run here; undefined when they can. */
export const reasonToSkip =
  executablePath === undefined
    ? 'no Chromium: apt-get install chromium, or name one in TEST_CHROMIUM'
    : undefined;

/** It asks nobody for anything by itself. As root, as in a container, it cannot have a sandbox. */
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

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath && { executablePath }), args: flags });

/** A page that somebody has open, and everything about it that nobody should see. */
export interface Visit {
  readonly page: Page;
  /** Complaints of the browser, errors of scripts, and requests to anywhere else. */
  readonly blots: readonly string[];
  close(): Promise<void>;
}

/** Somebody who reads what comes from an origin, and whose browser keeps what it may. */
export const newReader = async (
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const reader = await browser.newContext({ baseURL: origin, ...options });
  reader.setDefaultTimeout(15_000);
  return reader;
};

/** @param origin where everything has to come from */
export const visit = async (reader: BrowserContext, origin: string): Promise<Visit> => {
  const page = await reader.newPage();
  const blots: string[] = [];
  // A refusal that the reader provoked is no blot: it is logged for every status from 400 on.
  page.on('console', (message) => {
    const isRefusal = /^Failed to load resource: .* status of 4\d\d/.test(message.text());
    const isOfApi = new URL(message.location().url || origin).pathname.startsWith('/v1/');
    if (!isRefusal || !isOfApi) blots.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => blots.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, origin: from } = new URL(request.url());
    if (protocol !== 'data:' && from !== origin) blots.push(`asked elsewhere: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // Whoever leaves a page leaves what it was still loading.
    if (reason !== 'net::ERR_ABORTED') blots.push(`${reason}: ${request.url()}`);
  });
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error(violatedDirective))`,
  );
  return { page, blots, close: () => page.close() };
};
