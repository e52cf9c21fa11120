// Fails when a file of the repository uses a word that hides what is meant, or a folder with clean comments and names such a verb. CONTRIBUTING.md says what to write instead.
import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describeVerb, hiddenVerbsIn, isInCleanFolder } from './hidden-verbs.ts';

/** Each word with what it stood for. */
export const hiddenWords: Readonly<Record<string, string>> = {
  patience: 'name the timeout: connectTimeoutMs, shutdownTimeoutMs',
  farewell: 'shutdown timeout',
  glance: 'poll interval',
  whoever: 'name the subject: the client, the process that holds the lease',
  nobody: 'name the subject: no client, no process',
  somebody: 'name the subject: another process, a later request',
  mend: 'fix',
  heed: 'obey, check, observe',
};

/**
 * The first two also count inside of names such as `connectPatience`. `patienceMilliseconds` is an option of the client that
 * programs already pass.
 */
const pattern = /patience(?!Milliseconds)|farewell|\b(?:glance|whoever|nobody|somebody|mend|heed)\b/gi;

/** @returns one line for each hidden word in a text: place, word and what to write instead */
export const hiddenWordsIn = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) =>
    [...line.matchAll(pattern)].map(([word]) => {
      const advice = hiddenWords[word.toLowerCase()] ?? '';
      return `${file}:${index + 1} "${word}": ${advice}`;
    }),
  );

const places = [
  '{domain,application,adapters,bootstrap,test,docs}/**/*.{ts,mts,mjs,js,css,md,json,yaml,yml,sql,cfg,conf,env,service,example,lua,svg}',
  '{docs/deploy/Caddyfile,Dockerfile,*.md,*.yaml,.env.example,.ci/*,package.json}',
];

/** Files that may use the words: this list, the test of it, and what a released version recorded. */
const exempt = ['words', 'verbs'].flatMap((kind) => [
  `test/architecture/hidden-${kind}.ts`,
  `test/architecture/hidden-${kind}.test.ts`,
]);

/** The files with code, which have names and comments. */
export const codeFiles = (): readonly { readonly file: string; readonly source: string }[] =>
  globSync('{domain,application,adapters,bootstrap,test}/**/*.{ts,mts,mjs,js}', {
    exclude: ['**/node_modules'],
  })
    .filter((file) => !exempt.includes(file))
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }));

const main = (): void => {
  const files = globSync(places, { exclude: ['**/node_modules'] }).filter((file) => !exempt.includes(file));
  const found = files.flatMap((file) => hiddenWordsIn(file, readFileSync(file, 'utf8')));
  const verbs = codeFiles().flatMap(({ file, source }) => hiddenVerbsIn(file, source));
  const lines = [...found, ...verbs.filter(isInCleanFolder).map(describeVerb)];
  for (const line of lines) process.stderr.write(`${line}\n`);
  if (lines.length > 0) process.exitCode = 1;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
