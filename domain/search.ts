import { textOfHtml } from './html.ts';
import type { Product, ProductId } from './product.ts';
import type { TextRule } from './rule.ts';

/** What a product must have to be found: a word, or a word that begins with the text. */
export interface SearchTerm {
  readonly text: string;
  readonly isPrefix: boolean;
}

/** The words of a product, as an index keeps them. */
export interface ProductWords {
  readonly productId: ProductId;
  readonly words: ReadonlySet<string>;
}

/** Of a word, in code points. The rest of a longer one does not count. */
export const maxWordLength = 40;

const maxWords = 8;

const ofScripts = (scripts: readonly string[]): string =>
  scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('');

/**
 * Scripts without spaces between words. Marks that they share with each other, such as the Japanese long vowel, belong to them; those of
 * Latin and Cyrillic, such as the apostrophe U+02BC, do not.
 */
const unspacedScripts = `[[${ofScripts(['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'])}]--[${ofScripts(['Latin', 'Cyrillic'])}]]`;

const ofWords = String.raw`[\p{L}\p{M}\p{N}]`;

/** The runs of a text, those of scripts without spaces in the first group. */
const runs = new RegExp(`([${ofWords}&&${unspacedScripts}]+)|[${ofWords}--${unspacedScripts}]+`, 'gv');

/**
 * Words around single apostrophes and hyphens, which people omit: Men's, L’Oréal, COF-ETH-250. Only the begin of a word begins one:
 * otherwise a word of n letters would be read n times.
 */
const chains = new RegExp(`(?<!${ofWords})${ofWords}+(?:['’‐\\-]${ofWords}+)+`, 'gv');

/** Accents, what is not seen, and the marks of Arabic and Hebrew, which are mostly not written. */
const dropped =
  /[\u0300-\u036f\p{Default_Ignorable_Code_Point}[\p{Mn}&&[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}]]]/gv;

/** Letters that have no decomposition, and what people type for them. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ŋ: 'n', ø: 'o', œ: 'oe', æ: 'ae', þ: 'th', ß: 'ss', ς: 'σ' },
};

/** Folds case, accents and compatibility forms, so that texts are alike that people type for each other. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(dropped, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[łđðħıŋøœæþßς]/g, (letter) => plainLetters[letter] ?? letter);

/** What its chains are without their signs, each in a line. */
const joinedIn = (foldedText: string): string =>
  [...foldedText.matchAll(chains)].map(([chain]) => chain.replaceAll(/['’‐-]/g, '')).join('\n');

const cut = (word: string): string =>
  word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join('');

/** Each character of a run without spaces with the one behind it. */
const pairsOf = (characters: readonly string[]): string[] =>
  characters.slice(1).map((character, index) => `${characters[index]}${character}`);

/**
 * The words of a text, and those of its chains when they are joined. Of a run without spaces each character is a word, and each pair of
 * neighbours.
 */
const wordsOf = (text: string): string[] => {
  const plain = folded(text);
  return [...`${plain}\n${joinedIn(plain)}`.matchAll(runs)].flatMap(([run, unspaced]) => {
    if (unspaced === undefined) return cut(run);
    const characters = [...unspaced];
    return [...characters, ...pairsOf(characters)];
  });
};

/** What a text asks for. The pairs of a run without spaces hold its characters, which only a single one is asked for by itself. */
const termsOf = (text: string): SearchTerm[] =>
  [...folded(text).matchAll(runs)].flatMap(([run, unspaced]) => {
    if (unspaced === undefined) return { text: cut(run), isPrefix: [...run].length > 1 };
    const characters = [...unspaced];
    const words = characters.length === 1 ? characters : pairsOf(characters);
    return words.map((word) => ({ text: word, isPrefix: false }));
  });

/** No word has the sign, so a tag is found by itself alone. */
const wordOfTag = (tag: string): string => `#${tag}`;

const textRule: TextRule = {
  minLength: 1,
  /** In code points. A request line holds no more. */
  maxLength: 16_384,
  violation: (value) => {
    if (value.includes('\0')) return 'must not contain the NUL character';
    const count = termsOf(value).length;
    if (count === 0) return 'must have a letter or a number';
    return count > maxWords ? `must have at most ${maxWords} words` : undefined;
  },
};

export const Search = {
  rules: { text: textRule },

  /** @param text keeps the rule. @returns what a product must have, all of it */
  termsOf: (text: string): readonly SearchTerm[] => {
    const terms = new Map(termsOf(text).map((term) => [term.text, term]));
    return [...terms.values()];
  },

  termOfTag: (tag: string): SearchTerm => ({ text: wordOfTag(tag), isPrefix: false }),

  /** The words by which a product is found: those of its name, SKU, description and tags, and the tags themselves. */
  wordsOf: ({ name, sku, description, tags }: Product): ReadonlySet<string> => {
    const texts = [name, sku ?? '', textOfHtml(description ?? ''), ...tags];
    return new Set([...wordsOf(texts.join('\n')), ...tags.map(wordOfTag)]);
  },

  /** Whether the words of a product may differ from those before. */
  changesWords: (before: Product, after: Product): boolean =>
    before.name !== after.name ||
    before.sku !== after.sku ||
    before.description !== after.description ||
    before.tags.join() !== after.tags.join(),

  /** Whether words have a term. */
  matches: (words: ReadonlySet<string>, { text, isPrefix }: SearchTerm): boolean =>
    words.has(text) || (isPrefix && words.values().some((word) => word.startsWith(text))),
};
