import { editCounts } from './edit-distance.ts';

/**
 * The words of a text, as search compares them: without case, accents and the `s` of a plural. `createOrder` and `order_id` are
 * two words each.
 */
export const wordsOf = (text: string): readonly string[] =>
  (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(singularOf);

const singularOf = (word: string): string => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word);

/** A name without its signs, so that `POST /v1/orders` and `post v1 orders` are equal. */
export const compactOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Words of questions, which do not narrow a search. */
const fillers = new Set(
  'a an and can do does for how i in is it my of on or the to what when where with'.split(' '),
);

/** The words that are searched for. */
export const queryWords = (query: string): readonly string[] => {
  const words = [...new Set(wordsOf(query))];
  const significant = words.filter((word) => !fillers.has(word));
  return significant.length > 0 ? significant : words;
};

/** How many letters of a word may be wrong. */
const allowedErrors = ({ length }: string): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/**
 * Finds what a word may mean: itself, where a known word begins with it, else the known words that are most like it.
 * @param vocabulary all known words, with how often each is in a title
 */
export const meaningsOf = (word: string, vocabulary: ReadonlyMap<string, number>): readonly string[] => {
  for (const known of vocabulary.keys()) if (known.startsWith(word)) return [word];
  let best = allowedErrors(word);
  let found: readonly string[] = [];
  for (const known of vocabulary.keys()) {
    if (known.length < word.length - best) continue;
    // A known word may go on behind what was typed.
    const errors = Math.min(...editCounts(word, known, best));
    if (errors > best) continue;
    found = errors < best ? [known] : [...found, known];
    best = errors;
  }
  // The words of titles are the likelier ones.
  const titles = found.filter((known) => (vocabulary.get(known) ?? 0) > 0);
  return titles.length > 0 ? titles : found;
};
