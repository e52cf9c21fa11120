import { expect } from 'chai';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { newReader, type OpenBrowser, openBrowser, reasonToSkip, type Visit, visit } from './browser.ts';
import { Reference } from './reference.ts';

/** A server with the demonstration, and readers of its docs. */
interface ReadingRoom {
  server(): Server;
  origin(): string;
  /** Opens a tab, with a context of its own where it has options. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  open(options?: BrowserContextOptions): Promise<Reference>;
  /** Starts the server again, with its data. What its pages ask for meanwhile may fail. */
  restart(environment?: Readonly<Record<string, string>>): Promise<void>;
  /** The keys of the demonstration. */
  keys(): Promise<Keys>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any response
  get(path: string, key: string): Promise<any>;
}

interface Keys {
  readonly customer: string;
  readonly admin: string;
}

/** What a page meets that asks a server while it restarts. */
const connectionLost = /net::ERR_(CONNECTION_(RESET|REFUSED|CLOSED)|EMPTY_RESPONSE)/;

/** Opens it before the tests of the surrounding `describe`, and closes it after them. No test may leave a problem in a page. */
export const readingRoom = (): ReadingRoom => {
  const place = temporaryFolder();
  let browser: OpenBrowser;
  /** Shared by most tests, so that files come from its cache. */
  let usual: BrowserContext;
  let server: Server;
  let port: string;
  let visits: Visit[] = [];
  let hasRestarted = false;
  const origin = () => `http://127.0.0.1:${port}`;

  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
    server = await startServer({
      DATABASE_URL: `sqlite:${place('shop.db')}`,
      SEED_DEMO: '1',
      ADMIN_API_KEY: '',
      OPS_PORT: port,
      ...environment,
    });
  };

  before(async function () {
    if (reasonToSkip) return this.skip();
    port = `${await freePort()}`;
    browser = await openBrowser();
    usual = await newReader(browser, origin());
    await start();
  });
  after(async () => {
    await browser?.close();
    await server?.program.kill();
  });
  afterEach(async () => {
    const mayBeLost = hasRestarted;
    hasRestarted = false;
    const problems = visits
      .flatMap((one) => one.problems)
      .filter((problem) => !(mayBeLost && connectionLost.test(problem)));
    await Promise.all(visits.splice(0).map((one) => one.close()));
    expect(problems).to.deep.equal([]);
  });

  const open = async (options?: BrowserContextOptions): Promise<Visit> => {
    const one = await visit(options ? await newReader(browser, origin(), options) : usual, origin());
    visits = [...visits, one];
    return one;
  };
  return {
    server: () => server,
    origin,
    visit: open,
    open: async (options) => new Reference((await open(options)).page),
    restart: async (environment) => {
      hasRestarted = true;
      await server.program.kill();
      await start(environment);
    },
    keys: async () => (await fetch(`${origin()}/docs/keys.json`)).json() as Promise<Keys>,
    get: async (path, key) =>
      (await fetch(`${origin()}${path}`, { headers: { Authorization: `Bearer ${key}` } })).json(),
  };
};
