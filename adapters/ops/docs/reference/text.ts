import { Marked } from 'marked';
import { escapeHtml } from '../escape.ts';
import { type Html, trusted } from './html.ts';

/** Texts of the document are Markdown. HTML in them is shown as text, and a link goes to the web or to a page of ours only. */
const markdown = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link(token) {
      return /^(https?:\/\/|\/(?!\/)|#)/.test(token.href) ? false : this.parser.parseInline(token.tokens);
    },
  },
});

/** A text of several paragraphs and lists. */
export const paragraphs = (text: string): Html => trusted(markdown.parse(text, { async: false }));

/** A text within a line. */
export const inline = (text: string): Html => trusted(markdown.parseInline(text, { async: false }));
