import { partsOf } from './source-parts.ts';
import { foldersWithVerbs } from './unclean-folders.ts';

/** Verbs that hide which operation is meant, by each of their forms, with what to write instead. */
const adviceOf: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'look looks looked looking': 'read, check, find, poll',
    'take takes taken took taking': 'acquire, claim, accept, consume, capture, need',
    'tell tells told telling': 'report, record, return, distinguish',
    'say says said saying': 'state, report, document, return',
    'leave leaves left leaving': 'keep, omit, remain, end',
    'hear hears heard hearing': 'receive, learn',
  }).flatMap(([forms, advice]) => forms.split(' ').map((form) => [form, advice])),
);

/** Terms and idioms in which such a word is the right one. */
const phrases: readonly RegExp[] = [
  /\bleft (?:outer )?joins?\b/gi,
  /\bleft[- ](?:to|hand|side)\b/gi,
  /\bon the left\b/gi,
  /\blook(?:s|ed|ing)?[- ](?:ups?|behind|ahead)\b/gi,
  /\b(?:take|takes|took|taken|taking)[- ](?:over|effect|place)\b/gi,
  // A duration: how long something takes.
  /\b(?:how long|as long as|longer than) [\w' ]*?(?:takes?|took)\b/gi,
  /\b(?:takes?|took|taking) (?:as|so|too|much|no|any|a) ?(?:long|longer|while)\b/gi,
  // To omit, to distinguish, and what remains: each is plain, and no term is shorter.
  /\b(?:leave|leaves|left|leaving)(?: [\w']+){0,5}? out\b/gi,
  /\b(?:tell|tells|told|telling)(?: [\w']+){0,5}? apart\b/gi,
  /\b(?:is|are|of what is|time|requests?|nothing|less|something) left\b(?! (?:as|by|to|the))/gi,
  // What is quoted: names, values and texts.
  /`[^`\n]*`/g,
];

/** Names of other libraries and of browsers, the term of leases, a column that databases have, and
 * the field of the doctor's JSON that scripts read. */
const allowedNames: ReadonlySet<string> = new Set([
  'left',
  'takeOver',
  'looked_up_at',
  'says',
  'isLeft',
  'leftJoin',
  'scrollLeft',
  'offsetLeft',
]);

export interface HiddenVerb {
  readonly file: string;
  readonly line: number;
  readonly word: string;
  readonly isName: boolean;
  readonly advice: string;
}

/** @returns the verbs in the comments and in the names of a source text */
export const hiddenVerbsIn = (file: string, source: string): readonly HiddenVerb[] => {
  const { comments, code } = partsOf(source);
  const prose = phrases.reduce(
    (text, phrase) => text.replaceAll(phrase, (found) => ' '.repeat(found.length)),
    comments,
  );
  return [
    ...found(file, prose, /[a-z]+/gi, (word) => [word], false),
    ...found(file, code, /[A-Za-z_$][\w$]*/g, (name) => wordsOf(name), true),
  ];
};

/** The words of a name: `takenAt`, `LOOK_UP`. */
const wordsOf = (name: string): readonly string[] =>
  allowedNames.has(name) ? [] : name.split(/_|(?<=[a-z\d])(?=[A-Z])/);

const found = (
  file: string,
  text: string,
  pattern: RegExp,
  words: (match: string) => readonly string[],
  isName: boolean,
): readonly HiddenVerb[] =>
  text.split('\n').flatMap((line, index) =>
    [...line.matchAll(pattern)].flatMap(([match]) => {
      const advice = words(match)
        .map((word) => adviceOf.get(word.toLowerCase()))
        .find(Boolean);
      return advice === undefined ? [] : [{ file, line: index + 1, word: match, isName, advice }];
    }),
  );

/** Whether the folder of a finding has been cleaned, so that it is an error. */
export const isInCleanFolder = ({ file, isName }: HiddenVerb): boolean =>
  !foldersWithVerbs[isName ? 'names' : 'comments'].includes(file.slice(0, file.lastIndexOf('/')));

export const describeVerb = ({ file, line, word, isName, advice }: HiddenVerb): string =>
  `${file}:${line} ${isName ? 'the name ' : ''}"${word}": ${advice}`;
