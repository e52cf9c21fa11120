// Fails when a file of the repository uses a word that hides what is meant. CONTRIBUTING.md says what to write instead.
import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

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
const exempt = ['test/architecture/hidden-words.ts', 'test/architecture/hidden-words.test.ts'];

const main = (): void => {
  const files = globSync(places, { exclude: ['**/node_modules'] }).filter((file) => !exempt.includes(file));
  const found = files.flatMap((file) => hiddenWordsIn(file, readFileSync(file, 'utf8')));
  for (const line of found) process.stderr.write(`${line}\n`);
  if (found.length > 0) process.exitCode = 1;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
