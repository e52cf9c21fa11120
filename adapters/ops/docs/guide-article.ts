import { escapeHtml } from './escape.ts';
import type { Guide } from './guides.ts';
import type { Heading } from './markdown.ts';

/** A guide with the contents of its page beside it, and links to the guides before and after it at its end. */
export const guideArticle = (guides: readonly Guide[], guide: Guide): string => {
  const place = guides.indexOf(guide);
  const [previous, next] = place === -1 ? [] : [guides[place - 1], guides[place + 1]];
  return `<div class="with-outline">
${outline(guide.headings)}
<main class="guide">
${guide.html}${neighbours(previous, next)}
</main>
</div>`;
};

/** Fewer headings are seen at once. */
const fewestHeadings = 2;

/** The contents of a page. A script marks what is being read. */
const outline = (headings: readonly Heading[]): string => {
  const listed = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (listed.length < fewestHeadings) return '';
  const items = listed.map(
    ({ depth, anchor, text }) =>
      `    <li${depth === 3 ? ' class="below"' : ''}><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="outline" aria-label="On this page">
  <details>
    <summary>On this page</summary>
    <ul>
${items.join('\n')}
    </ul>
  </details>
</nav>`;
};

const neighbours = (previous: Guide | undefined, next: Guide | undefined): string => {
  const link = (guide: Guide, rel: string, label: string): string =>
    `  <a href="${guide.path}" rel="${rel}"><small>${label}</small> ${escapeHtml(guide.title)}</a>`;
  const links = [
    ...(previous ? [link(previous, 'prev', 'Previous')] : []),
    ...(next ? [link(next, 'next', 'Next')] : []),
  ];
  return links.length === 0
    ? ''
    : `<nav class="neighbours" aria-label="Guides before and after">\n${links.join('\n')}\n</nav>`;
};
