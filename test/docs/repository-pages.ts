import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const withoutCode = (markdown: string): string => markdown.replaceAll(/^ *(`{3,}).*?^ *\1/gms, '');

/** The anchors of a page: those that GitHub gives its headings, and its own. */
export const anchorsOf = (markdown: string): ReadonlySet<string> => {
  const text = withoutCode(markdown);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
  const repeated = headings.map((slug, index) => {
    const before = headings.slice(0, index).filter((other) => other === slug).length;
    return before === 0 ? slug : `${slug}-${before}`;
  });
  const own = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...repeated, ...own]);
};

/** The text of each page of the repository, by its file. */
export const pages: ReadonlyMap<string, string> = new Map(
  globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { exclude: ['**/node_modules/**'] }).map(
    (file) => [file, readFileSync(file, 'utf8')] as const,
  ),
);

/** The links of a page to other pages of the repository, and to its own headings. */
export const linksOf = (file: string): readonly { readonly page: string; readonly anchor: string }[] =>
  [...withoutCode(pages.get(file) ?? '').matchAll(/\]\(([^():\s]+\.md)?(#[^)\s]+)?\)/g)]
    .filter(([, page, anchor]) => page !== undefined || anchor !== undefined)
    .map(([, page, anchor = '']) => ({
      page: page === undefined ? file : normalize(join(dirname(file), page)),
      anchor: anchor.slice(1),
    }));
