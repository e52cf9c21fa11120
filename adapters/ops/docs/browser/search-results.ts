import type { Entry } from '../search/entry.ts';
import { createElement } from './page.ts';

const titles: Readonly<Record<Entry['kind'], string>> = {
  operation: 'Operations',
  resource: 'Operations',
  guide: 'Guides',
  section: 'Guides',
  field: 'Fields',
  error: 'Error codes',
  event: 'Event types',
  setting: 'Settings',
  command: 'Commands',
};

/** More results of a kind are found by another word. */
const maxOfGroup = 6;

/**
 * Creates the groups of results. The group with the best result is the first.
 * @param entries the best first
 * @param words to mark
 */
export const groupsOf = (entries: readonly Entry[], words: readonly string[]): readonly HTMLElement[] => {
  const isWord = patternOf(words);
  const byTitle = Map.groupBy(entries, ({ kind }) => titles[kind]);
  return [...byTitle].map(([title, members], place) => {
    const id = `search-group-${place}`;
    const heading = createElement('div', { className: 'search-group', id, role: 'presentation' }, title);
    const options = members
      .slice(0, maxOfGroup)
      .map((entry, index) => optionOf(entry, isWord, `search-result-${place}-${index}`));
    const group = createElement('div', { role: 'group' }, heading, ...options);
    group.setAttribute('aria-labelledby', id);
    return group;
  });
};

const optionOf = (
  { kind, title, href, names: [name = ''] = [], place, text = '' }: Entry,
  isWord: RegExp,
  id: string,
): HTMLElement => {
  const isCode = !['guide', 'section', 'operation', 'resource'].includes(kind);
  const line = createElement(
    'span',
    { className: isCode ? 'title code' : 'title' },
    ...marked(title, isWord),
  );
  const aside = kind === 'operation' ? operationName(name, isWord) : asideOf(kind, name, place);
  const excerpt = createElement('span', { className: 'excerpt' }, ...marked(excerptOf(text, isWord), isWord));
  const option = createElement(
    'a',
    { id, href, role: 'option', tabIndex: -1, ariaSelected: 'false' },
    ...[line, ...aside, ...(text === '' ? [] : [excerpt])],
  );
  return option;
};

/** The method and path. */
const operationName = (name: string, isWord: RegExp): readonly HTMLElement[] => {
  const [method = '', path] = name.split(' ');
  if (path === undefined) return [];
  const badge = createElement('b', { className: `method ${method.toLowerCase()}` }, method);
  return [createElement('span', { className: 'endpoint' }, badge, ' ', ...marked(path, isWord))];
};

const asideOf = (kind: Entry['kind'], name: string, place = ''): readonly HTMLElement[] => {
  const aside = kind === 'error' ? name : place;
  return aside === '' ? [] : [createElement('span', { className: 'place' }, aside)];
};

/** Matches the beginnings of words that are one of these. Their plural counts, too. */
const patternOf = (words: readonly string[]): RegExp =>
  words.length === 0
    ? /(?!)/g
    : new RegExp(
        `(?<![\\p{L}\\p{N}])(?:${words.map((word) => RegExp.escape?.(word) ?? word).join('|')})`,
        'giu',
      );

const marked = (text: string, isWord: RegExp): readonly (Node | string)[] => {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const { index, 0: match } of text.matchAll(isWord)) {
    parts.push(text.slice(end, index), createElement('mark', {}, match));
    end = index + match.length;
  }
  return [...parts, text.slice(end)];
};

const excerptLength = 140;

/** The part of a text that has the first of the words, from the beginning of its sentence where that is near. */
const excerptOf = (text: string, isWord: RegExp): string => {
  const found = Math.max(0, text.search(isWord));
  const sentence = text.lastIndexOf('. ', found) + 1;
  const near =
    found - sentence > excerptLength / 2 ? text.lastIndexOf(' ', found - excerptLength / 3) : sentence;
  const begin = Math.max(0, near);
  const rest = text.slice(begin).trim();
  const cut =
    rest.length <= excerptLength ? rest : `${rest.slice(0, rest.lastIndexOf(' ', excerptLength))} …`;
  return begin > 0 && near !== sentence ? `… ${cut}` : cut;
};
