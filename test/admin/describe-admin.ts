import { expect } from 'chai';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { reasonToSkip, type Visit } from '../docs/browser.ts';
import type { Client } from '../http/support/client.ts';
import { isNight } from '../support/night.ts';
import { until } from '../support/until.ts';
import { type AdminFixture, adminFixture } from './fixture.ts';

const sizes = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };

/** A phone in the dark. */
export const phone = { viewport: sizes[390], colorScheme: 'dark' } as const;

/** A way to use the page: by which window, and how what a person points at is pressed. */
interface Way {
  readonly name: string;
  readonly window: BrowserContextOptions;
  readonly press: (target: Locator) => Promise<void>;
}

/** What of an element in the page says whether the keyboard reaches it. */
interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown };
  readonly tabIndex: number;
  readonly type?: string;
}

/**
 * Presses a control without a mouse: Tab must reach it. A check box or a radio button takes Space, all others Enter. It waits until the
 * control has the focus, which one that is disabled does not get.
 */
export const pressByKeyboard = async (target: Locator): Promise<void> => {
  await target.waitFor();
  const type = await until(
    async () => {
      await target.focus();
      return target.evaluate((element: Focusable) =>
        element.ownerDocument.activeElement === element && element.tabIndex >= 0
          ? (element.type ?? '')
          : undefined,
      );
    },
    (found) => found !== undefined,
  );
  await target.press(type === 'checkbox' || type === 'radio' ? 'Space' : 'Enter');
};

/** Clicks a control that the keyboard reaches, too. */
const pressByMouse = async (target: Locator): Promise<void> => {
  const isReachable = await target.evaluate((element: Focusable) => element.tabIndex >= 0);
  expect(isReachable, `The Tab key reaches ${target}.`).to.equal(true);
  await target.click();
};

const presses = { clicks: pressByMouse, keyboard: pressByKeyboard };

const wayOf = (by: keyof typeof presses, width: keyof typeof sizes, colorScheme: 'light' | 'dark'): Way => ({
  name: `by ${by}, ${width} px, ${colorScheme}`,
  window: { viewport: sizes[width], colorScheme },
  press: presses[by],
});

const wide = wayOf('clicks', 1440, 'light');

/** Between them they have each size, each colour scheme, and both the mouse and the keyboard. */
const usualWays = [wide, wayOf('keyboard', 390, 'dark')];

const { TEST_ADMIN_WAYS: wanted } = process.env;

/** `TEST_ADMIN_WAYS=all` has every combination. */
const allWays =
  wanted === 'all'
    ? (['clicks', 'keyboard'] as const).flatMap((by) =>
        ([1440, 390] as const).flatMap((width) =>
          (['light', 'dark'] as const).map((scheme) => wayOf(by, width, scheme)),
        ),
      )
    : usualWays;

/** What tests of the admin page share. It can be used in tests and hooks. */
interface Admin {
  /** With the key of the operator. */
  readonly client: Client;
  readonly fixture: AdminFixture;
  /** What the running test has opened last. */
  readonly page: Page;
  /** Opens the page as `AdminFixture.open` does, in the window of this way unless told otherwise. */
  open(...target: Parameters<AdminFixture['open']>): Promise<Page>;
  /** Presses a control in the way of this run. */
  press(target: Locator): Promise<void>;
  /** The same for a control of the navigation, which a phone has behind a button. */
  pressInMenu(target: Locator): Promise<void>;
}

type Tests = (admin: Admin) => void;

type Environment = Readonly<Record<string, string>>;

/** Describes the admin page in a wide window, and at night in each way, with a server each. */
export const describeAdmin = (title: string, tests: Tests, environment?: Environment): void => {
  for (const way of isNight || wanted === 'all' ? allWays : [wide])
    describeWay(way, title, tests, environment);
};

/** Describes the kinds of controls that all views have: in each way, also by day. */
export const describeAdminInEachWay = (title: string, tests: Tests): void => {
  for (const way of allWays) describeWay(way, title, tests);
};

/** Describes what has no control, or whose controls another file presses: once, in a wide window. */
export const describeAdminOnce = (title: string, tests: Tests): void => describeWay(wide, title, tests);

/**
 * One server with the demonstration, and one browser. After each test its tab is closed, and must have had no problems.
 */
const describeWay = (
  { name, window, press }: Way,
  title: string,
  tests: Tests,
  environment: Environment = {},
): void => {
  describe(`${title}, ${name}${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
    let opened: AdminFixture | undefined;
    let visited: Visit | undefined;

    before(async function () {
      if (reasonToSkip) return this.skip();
      opened = await adminFixture(environment);
    });
    after(() => opened?.close());
    afterEach(async function () {
      if (this.currentTest?.isPending()) return;
      expect(visited?.problems).to.deep.equal([]);
      await visited?.close();
      visited = undefined;
    });

    const stageOf = (): AdminFixture => {
      if (opened === undefined) throw new Error('The server starts in a hook, and tests use it after that.');
      return opened;
    };
    tests({
      press,
      pressInMenu: async (target) => {
        const menu = target.page().getByRole('button', { name: 'Menu' });
        if (await menu.isVisible()) await press(menu);
        await press(target);
      },
      get fixture() {
        return stageOf();
      },
      get client() {
        return stageOf().server.client;
      },
      get page() {
        if (visited === undefined) throw new Error('The test has not opened the page.');
        return visited.page;
      },
      open: async (path, options) => {
        visited = await stageOf().open(path, { ...window, ...options });
        return visited.page;
      },
    });
  });
};
