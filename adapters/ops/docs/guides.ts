import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';

export interface Guide {
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

const docsFolder = new URL('../../../docs/', import.meta.url);

/** In the order in which a newcomer reads them. */
const files = [
  'guides/first-order.md',
  'guides/idempotent-retries.md',
  'guides/paging.md',
  'guides/errors.md',
  'guides/rate-limits.md',
  'guides/webhooks.md',
  'guides/postgresql.md',
  'guides/bring-your-catalogue.md',
  'guides/a-shop-page.md',
  'guides/take-real-cards.md',
  'guides/an-orders-desk.md',
  'guides/sign-customers-up.md',
  'guides/forget-a-customer.md',
  'taxes.md',
  'api.md',
  'client.md',
  'command-line.md',
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
      const markdown = (await readFile(new URL(file, docsFolder), 'utf8')).replaceAll(defaultApiUrl, apiUrl);
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? '';
      return { path: pathOf(file), title, html: renderMarkdown(markdown, (href) => resolveLink(href, file)) };
    }),
  );

const pathOf = (file: string): string => `/docs/${file.replace(/\.md$/, '')}`;

/** Turns links between the files into links between the pages. */
const resolveLink = (href: string, file: string): string => {
  if (!/^[^:#]+\.md(#.*)?$/.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://page/${file}`);
  return `${pathOf(pathname.slice(1))}${hash}`;
};

/** Only for Portico's own files: Markdown may contain HTML, which is not sanitized. */
const renderMarkdown = (markdown: string, resolve: (href: string) => string): string =>
  new Marked({
    renderer: {
      link(token) {
        token.href = resolve(token.href);
        return false;
      },
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // A wide table scrolls by itself, and the keyboard can focus it.
      table(token) {
        const rows = [token.header, ...token.rows].map((cells, index) => {
          const tag = index === 0 ? 'th' : 'td';
          const row = cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`);
          return `<tr>${row.join('')}</tr>`;
        });
        return `<div class="wide" tabindex="0"><table>${rows.join('\n')}</table></div>\n`;
      },
    },
  }).parse(markdown, { async: false });

/** The same anchors as GitHub's, so that links work in both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
