import type { Format } from './product-rows.ts';

/** How an import was asked for. */
interface ImportArguments {
  readonly file: string;
  readonly format: Format | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** The command line that does the rest of an import, as a shell takes it. */
export const resumeHint = (line: number, { file, format, quiet, json }: ImportArguments): string => {
  const words = ['portico', 'import', 'products', shellQuote(file), '--from-line', `${line}`];
  if (format !== undefined) words.push('--format', format);
  if (quiet) words.push('--quiet');
  if (json) words.push('--json');
  const first = file === '-' ? 'To go on, give it the same input again' : 'To go on';
  return `${first}: ${words.join(' ')}`;
};

/** Plain words stay as they are; any other stands in quotes, so that a shell takes it for one word. */
const shellQuote = (word: string): string =>
  /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
