import { escapeHtml } from '../escape.ts';

/** HTML whose texts are escaped. */
export interface Html {
  toString(): string;
  readonly isHtml: true;
}

export type Content = Html | string | number | undefined | readonly Content[];

/** @param text is used as HTML: never a text of the document that was not escaped */
export const trusted = (text: string): Html => ({ isHtml: true, toString: () => text });

/** A tagged template of HTML. Texts in it are escaped, other HTML is not; a list is joined. */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  trusted(parts.map((part, index) => `${part}${render(contents[index])}`).join(''));

const render = (content: Content): string => {
  if (content === undefined) return '';
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return `${content}`;
  return isHtml(content) ? content.toString() : content.map(render).join('');
};

const isHtml = (content: Html | readonly Content[]): content is Html => 'isHtml' in content;
