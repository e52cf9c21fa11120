import { readFile } from 'node:fs/promises';
import { type Heading, renderMarkdown } from './markdown.ts';

export interface Guide {
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The file, with the API's address on this server in its examples. */
  readonly markdown: string;
}

const docsFolder = new URL('../../../docs/', import.meta.url);
const changelogFile = new URL('../../../CHANGELOG.md', import.meta.url);

/** In the order in which a newcomer reads them. */
const files = [
  'guides/first-order.md',
  'guides/idempotent-retries.md',
  'guides/what-happened-to-my-payment.md',
  'guides/paging.md',
  'guides/errors.md',
  'guides/rate-limits.md',
  'guides/react-to-an-order.md',
  'guides/webhooks.md',
  'guides/send-mails.md',
  'guides/keep-another-system-in-step.md',
  'guides/postgresql.md',
  'guides/bring-your-catalogue.md',
  'guides/from-a-browser.md',
  'guides/a-shop-page.md',
  'guides/take-real-cards.md',
  'guides/an-orders-desk.md',
  'guides/sign-customers-up.md',
  'guides/forget-a-customer.md',
  'guides/what-happens-when.md',
  'taxes.md',
  'api.md',
  'client.md',
  'command-line.md',
  'settings.md',
  'identity-providers.md',
];

/** The API's address in the Markdown files, as readers on GitHub see it. */
const defaultApiUrl = 'http://127.0.0.1:3000';

/**
 * Reads the guides and renders them as HTML.
 * @param apiUrl replaces the default address in the examples, so that they can be pasted as they are
 */
export const readGuides = (apiUrl = defaultApiUrl): Promise<readonly Guide[]> =>
  Promise.all(
    files.map(async (file) => {
      const source = await readFile(new URL(file, docsFolder), 'utf8');
      const markdown = withoutUnserved(source.replaceAll(defaultApiUrl, apiUrl), file);
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? '';
      const rendered = renderMarkdown(markdown, (href) => resolveLink(href, file));
      return { path: pathOf(file), title, markdown, ...rendered };
    }),
  );

/** Reads the changelog, which lies above the guides. */
export const readChangelog = async (): Promise<Guide> => {
  const source = (await readFile(changelogFile, 'utf8')).replaceAll('](docs/', '](');
  const markdown = withoutUnserved(source, 'changelog.md');
  const rendered = renderMarkdown(markdown, (href) => resolveLink(href, 'changelog.md'));
  return { path: '/docs/changelog', title: 'Changelog', markdown, ...rendered };
};

const link = /\[((?:[^\][]|\[[^\]]*\])*)\]\(([^):#]+\.md)(?:#[^)]*)?\)/g;

/** Keeps the text alone of links to files that readers on GitHub have, and the pages do not: those for operators. */
const withoutUnserved = (markdown: string, file: string): string =>
  markdown.replaceAll(link, (whole, text, href) => {
    const { pathname } = new URL(href, `http://page/${file}`);
    return files.includes(pathname.slice(1)) ? whole : text;
  });

const pathOf = (file: string): string => `/docs/${file.replace(/\.md$/, '')}`;

/** Turns links between the files into links between the pages. */
const resolveLink = (href: string, file: string): string => {
  if (!/^[^:#]+\.md(#.*)?$/.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://page/${file}`);
  return `${pathOf(pathname.slice(1))}${hash}`;
};
