import { escapeHtml } from '../escape.ts';
import { type Html, trusted } from './html.ts';

/** The part of Highlight.js that is used; it ships no types for its modules of browsers. */
interface HighlightJs {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

/** Marks the words of a code by classes, in a known language. */
export type Highlight = (code: string, language: string) => Html;

/** The names of languages in the pages, and of their grammars. */
const grammars: Readonly<Record<string, string>> = {
  curl: 'bash',
  sh: 'bash',
  typescript: 'typescript',
  ts: 'typescript',
  js: 'javascript',
  python: 'python',
  json: 'json',
  http: 'http',
  ini: 'ini',
};

/** The files of Highlight.js that the pages use, for the server and for browsers. */
export const highlightFiles: ReadonlyMap<string, URL> = new Map([
  ['core', new URL(import.meta.resolve('@highlightjs/cdn-assets/es/core.min.js'))],
  ...[...new Set(Object.values(grammars))].map(
    (name) =>
      [name, new URL(import.meta.resolve(`@highlightjs/cdn-assets/es/languages/${name}.min.js`))] as const,
  ),
]);

export const loadHighlight = async (): Promise<Highlight> => {
  const [core, ...languages] = await Promise.all(
    [...highlightFiles].map(async ([name, file]) => ({ name, module: await import(file.href) })),
  );
  const highlighter: HighlightJs = core?.module.default.newInstance();
  for (const { name, module } of languages) highlighter.registerLanguage(name, module.default);
  return (code, language) => {
    const grammar = grammars[language];
    if (grammar === undefined) return trusted(escapeHtml(code));
    return trusted(highlighter.highlight(code, { language: grammar }).value);
  };
};
