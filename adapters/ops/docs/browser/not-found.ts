import { createElement, findElement } from './page.ts';
import { find, loadIndex } from './search-rank.ts';

const suggestions = findElement(document, '#suggestions', HTMLElement);
const maxSuggestions = 5;

/** The words of the address: `/docs/guides/first-oder` means `first oder`. */
const query = location.pathname
  .replace(/^\/docs\b|\/(guides|reference)\b|\.\w+$/g, ' ')
  .replace(/%..|[/_-]/g, ' ');
const { entries } = find(await loadIndex(), query);
const links = entries.slice(0, maxSuggestions).map(({ title, href, place }) => {
  const link = createElement('a', { href }, title);
  return createElement('li', {}, link, ...(place === undefined ? [] : [` · ${place}`]));
});
suggestions.append(createElement('ul', {}, ...links));
suggestions.hidden = links.length === 0;
