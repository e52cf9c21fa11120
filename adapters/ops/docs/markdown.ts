import { Marked } from 'marked';
import { escapeHtml } from './escape.ts';

export interface Heading {
  readonly depth: number;
  /** The text, without marks. */
  readonly text: string;
  readonly anchor: string;
}

interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** The label of a block's language in its frame. */
const languages: Readonly<Record<string, string>> = {
  sh: 'Shell',
  console: 'Shell',
  text: 'Output',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  http: 'HTTP',
  ini: 'Settings',
  yaml: 'YAML',
  sql: 'SQL',
  csv: 'CSV',
};

/**
 * Renders one of Portico's own files: Markdown may contain HTML, which is not sanitized.
 * @param resolve returns where a link leads on the pages; undefined shows its text alone
 */
export const renderMarkdown = (markdown: string, resolve: (href: string) => string | undefined): Rendered => {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      link(token) {
        const href = resolve(token.href);
        if (href === undefined) return this.parser.parseInline(token.tokens);
        token.href = href;
        return false;
      },
      heading({ tokens, depth, text }) {
        const anchor = anchorOf(text);
        const plain = plainText(text);
        headings.push({ depth, text: plain, anchor });
        const title = `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>`;
        return depth === 1 ? `${title}\n` : `<div class="heading">${title}${linkTo(anchor, plain)}</div>\n`;
      },
      // A wide block scrolls by itself, and the keyboard can focus it.
      code({ text, lang = '' }) {
        const [language = '', file] = lang.split(' ');
        const name = file !== undefined && /^[\w.-]+\.\w+$/.test(file) ? file : languages[language];
        const bar = `<div class="bar"><span>${escapeHtml(name ?? 'Example')}</span></div>`;
        const code = `<code class="language-${language || 'console'}">${escapeHtml(text)}\n</code>`;
        return `<div class="block">${bar}<pre tabindex="0">${code}</pre></div>\n`;
      },
      table(token) {
        const rows = [token.header, ...token.rows].map((cells, index) => {
          const tag = index === 0 ? 'th' : 'td';
          const row = cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`);
          return `<tr>${row.join('')}</tr>`;
        });
        return `<div class="wide" tabindex="0"><table>${rows.join('\n')}</table></div>\n`;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
};

const linkTo = (anchor: string, heading: string): string =>
  `<a class="heading-link" href="#${anchor}" aria-label="Link to “${escapeHtml(heading)}”">#</a>`;

/** A line of Markdown without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/\[((?:[^\][]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The same anchors as GitHub's, so that links work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
