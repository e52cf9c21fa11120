import { readFileSync } from 'node:fs';

/** The code blocks of a page. Transcripts of the command line (`console`) show the ids that they then use. */
export const blocksOf = (file: string): readonly { readonly language: string; readonly text: string }[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```(\w*)[^\n]*\n(.*?)\n```$/gms)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );

/** The commands behind a prompt, with the lines that continue them, and the first line of output below each. */
export const commandsIn = (text: string) =>
  [...text.matchAll(/^\$ ((?:.*\\\n)*.*(?:\n {5}.*)*)\n?(.*)/gm)].map(([, command = '', output = '']) => ({
    command,
    output,
  }));
