import { Marked } from 'marked';

/**
 * A Markdown file of ours as HTML.
 * @param follow where a link leads
 */
export const markdownToHtml = (text: string, follow: (href: string) => string): string =>
  new Marked({
    renderer: {
      link(token) {
        token.href = follow(token.href);
        return false;
      },
      heading({ tokens, depth, text: plain }) {
        return `<h${depth} id="${anchorOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // Wide ones are moved on their own, not with the page.
      table(token) {
        const rows = [token.header, ...token.rows].map((cells, place) => {
          const tag = place === 0 ? 'th' : 'td';
          const row = cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`);
          return `<tr>${row.join('')}</tr>`;
        });
        return `<div class="wide" tabindex="0"><table>${rows.join('\n')}</table></div>\n`;
      },
    },
  }).parse(text, { async: false });

/** The first heading. */
export const plainTitle = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** As GitHub makes them, so that a link works in both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
