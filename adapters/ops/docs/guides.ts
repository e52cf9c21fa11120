import { readFile } from 'node:fs/promises';
import { markdownToHtml, plainTitle } from './markdown.ts';

export interface Guide {
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

const papers = new URL('../../../docs/', import.meta.url);

/** In the order in which they are read. */
const files = [
  'guides/first-order.md',
  'guides/idempotent-retries.md',
  'guides/paging.md',
  'guides/errors.md',
  'guides/rate-limits.md',
  'guides/webhooks.md',
  'guides/postgresql.md',
  'api.md',
  'client.md',
  'command-line.md',
  'identity-providers.md',
];

/** Where the guides say that the API is, which they are read with on GitHub. */
const usualUrl = 'http://127.0.0.1:3000';

/** @param apiUrl where it is in truth, if a reader on this machine can go there */
export const readGuides = (apiUrl = usualUrl): Promise<readonly Guide[]> =>
  Promise.all(
    files.map(async (file) => {
      const text = (await readFile(new URL(file, papers), 'utf8')).replaceAll(usualUrl, apiUrl);
      return { path: pathOf(file), title: plainTitle(text), html: markdownToHtml(text, follow(file)) };
    }),
  );

const pathOf = (file: string): string => `/docs/${file.replace(/\.md$/, '')}`;

/** Links between the files are links between the pages. */
const follow =
  (file: string) =>
  (href: string): string => {
    if (!/^[^:#]+\.md(#.*)?$/.test(href)) return href;
    const { pathname, hash } = new URL(href, `http://page/${file}`);
    return `${pathOf(pathname.slice(1))}${hash}`;
  };
