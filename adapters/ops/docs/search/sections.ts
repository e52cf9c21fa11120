import type { Guide } from '../guides.ts';
import { anchorOf, plainText } from '../markdown.ts';

/** A part of a guide, from one heading to the next. */
export interface Section {
  readonly guide: Guide;
  readonly title: string;
  readonly depth: number;
  readonly href: string;
  /** The Markdown below the heading, without blocks of code. */
  readonly markdown: string;
}

const fence = /^ *```.*?^ *```$/gms;

/** Splits a guide at its headings. What is above the first heading but its title belongs to the title. */
export const sectionsOf = (guide: Guide): readonly Section[] =>
  guide.markdown
    .replaceAll(fence, '')
    .split(/^(?=#{1,4} )/m)
    .filter((part) => part.startsWith('#'))
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const [, marks = '', title = ''] = /^(#+) (.+)$/.exec(heading) ?? [];
      const anchor = marks.length === 1 ? '' : `#${anchorOf(title)}`;
      return {
        ...{ guide, title: plainText(title), depth: marks.length },
        href: `${guide.path}${anchor}`,
        markdown: lines.join('\n').trim(),
      };
    });

/** The text of Markdown: its words and signs, without marks, frames of tables, and the addresses of links. */
export const textOf = (markdown: string): string =>
  plainText(markdown.replaceAll(/^\|(?:[\s|:-]*\|)$/gm, '').replaceAll(/^[|>\s-]+|\|\s*$/gm, ''))
    .replaceAll(/ ?\| ?/g, ' · ')
    .trim();

/** The rows of all tables in Markdown, as the Markdown of their cells. */
export const rowsOf = (markdown: string): readonly (readonly string[])[] =>
  [...markdown.matchAll(/^\|(.+)\|$/gm)].map(([, cells = '']) =>
    cells.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  );
