import type { Entry } from '../search/entry.ts';
import { compactOf, meaningsOf, queryWords, wordsOf } from './search-words.ts';

/** Kinds in the order in which they are preferred, all else being equal. */
const preference: Readonly<Record<Entry['kind'], number>> = {
  operation: 6,
  guide: 5,
  error: 5,
  section: 4,
  event: 4,
  setting: 4,
  command: 4,
  resource: 3,
  field: 0,
};

/** Readers search for lists and creations more often than for the rest. */
const methodPreference = [
  [/^POST/, 2],
  [/^GET [^{]+$/, 1],
] as const;

/** An entry, with its words as they are compared. */
interface Item {
  readonly entry: Entry;
  readonly title: readonly string[];
  readonly names: ReadonlySet<string>;
  /** The collection that an operation is about: `stock-changes`. */
  readonly subject: string | undefined;
  readonly compact: readonly string[];
  readonly text: ReadonlySet<string>;
  readonly preference: number;
}

/** What can be found. */
export interface Index {
  readonly items: readonly Item[];
  /** All words, with how often each is in a title. */
  readonly vocabulary: ReadonlyMap<string, number>;
}

/** Prepares what the server has listed. @param entries of `/docs/search.json` */
export const prepare = (entries: readonly Entry[]): Index => {
  const items = entries.map((entry): Item => {
    const { title, names = [], kind, text = '', place = '' } = entry;
    const [name = ''] = names;
    const [, bonus] = methodPreference.find(([pattern]) => pattern.test(name)) ?? [undefined, 0];
    return {
      entry,
      title: wordsOf(title),
      names: new Set(names.flatMap(wordsOf)),
      subject: wordsOf(/.*\/([a-z][a-z-]+)/.exec(name)?.[1] ?? '')[0],
      compact: [title, ...names, ...names.map((each) => each.replace(/^[A-Z]+ /, ''))].map(compactOf),
      text: new Set([...wordsOf(text), ...wordsOf(place)]),
      preference: preference[kind] + bonus,
    };
  });
  const vocabulary = new Map<string, number>();
  for (const { title, names, text } of items) {
    for (const word of [...text, ...names]) vocabulary.set(word, vocabulary.get(word) ?? 0);
    for (const word of title) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
  }
  return { items, vocabulary };
};

interface Found {
  readonly entries: readonly Entry[];
  /** What is searched for: the words of the query, or the known words that are most like them. */
  readonly words: readonly string[];
}

/** Finds the entries for a query, the best first. All its words are in each of them; where there are no such entries, some. */
export const find = ({ items, vocabulary }: Index, query: string): Found => {
  const words = queryWords(query);
  if (words.length === 0) return { entries: [], words: [] };
  const meanings = words.map((word) => meaningsOf(word, vocabulary));
  const scored = items.map((item) => {
    const scores = meanings.map((alternatives) =>
      Math.max(0, ...alternatives.map((word) => scoreOfWord(item, word))),
    );
    const found = scores.filter((score) => score > 0).length;
    const sum = scores.reduce((total, score) => total + score, 0) / words.length;
    const score = scoreOfName(item, query) + sum + item.preference - item.title.length / 2;
    return { entry: item.entry, found, score };
  });
  const most = Math.max(...scored.map(({ found }) => found));
  const best = most === 0 ? [] : scored.filter(({ found }) => found === most);
  best.sort((one, other) => other.score - one.score);
  return { entries: best.map(({ entry }) => entry), words: meanings.flat() };
};

/** What a name counts that is the query as a whole. Words of everyday use are names of fields and headings, too. */
const wholeName: Readonly<Partial<Record<Entry['kind'], number>>> = {
  operation: 100,
  error: 100,
  event: 100,
  setting: 100,
  command: 100,
  resource: 60,
  guide: 15,
  section: 3,
};

/** Whether a query is written as names in programs are: `order.paid`, `createOrder`, `RATE_LIMIT`, `/v1/orders`, `If-Match`. */
const isIdentifier = (query: string): boolean => /[_./]|[a-z][A-Z]|^[A-Z]{2,}|\w-[A-Z]/.test(query);

/** The score of a name that is the query as a whole, or begins with it. */
const scoreOfName = ({ compact, entry }: Item, query: string): number => {
  const wanted = compactOf(query);
  if (compact.includes(wanted)) return wholeName[entry.kind] ?? (isIdentifier(query) ? 40 : 0);
  const isNamed = !['guide', 'section', 'resource'].includes(entry.kind);
  if (!isNamed || !isIdentifier(query)) return 0;
  const longer = compact.filter((name) => name.startsWith(wanted));
  return Math.max(0, ...longer.map((name) => (30 * wanted.length) / name.length));
};

const scoreOfWord = ({ title, names, subject, text }: Item, word: string): number => {
  if (title[0] === word || subject === word) return 30;
  if (title.includes(word)) return 24;
  if (names.has(word)) return 18;
  if (title.some((each) => each.startsWith(word))) return 14;
  if (text.has(word)) return 6;
  for (const each of names) if (each.startsWith(word)) return 8;
  for (const each of text) if (each.startsWith(word)) return 3;
  return 0;
};

/** Reads what the server has listed, on first use. */
export const loadIndex = async (): Promise<Index> => {
  const response = await fetch('/docs/search.json');
  if (!response.ok) throw new Error(`/docs/search.json: ${response.status}`);
  return prepare(await response.json());
};
