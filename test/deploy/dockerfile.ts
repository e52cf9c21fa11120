import { textOf } from './files.ts';

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const known =
  /^(ARG|FROM|LABEL|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD)$/;

/** What the Dockerfile says, in its order, each on one line. @throws SyntaxError at a line that is no instruction */
export const instructions: readonly Instruction[] = textOf('Dockerfile')
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .join('\n')
  .replaceAll(/\s*\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (!known.test(name)) throw new SyntaxError(line);
    return { name, rest };
  });

export const all = (wanted: string): readonly string[] =>
  instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest);

/** What stands once. */
export const the = (wanted: string): string => {
  const [rest, ...others] = all(wanted);
  if (rest === undefined || others.length > 0) throw new Error(`${wanted} stands ${others.length} times.`);
  return rest;
};

/** What the image's processes find in their environment. */
export const environment: Readonly<Record<string, string>> = Object.fromEntries(
  all('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
);

/** The command by which it says how it is. */
export const healthCheck: readonly string[] = JSON.parse(the('HEALTHCHECK').replace(/^.* CMD /, ''));

/** What is copied from the repository, and whereto. */
export const copies: readonly { readonly sources: readonly string[]; readonly to: string }[] = all(
  'COPY',
).map((rest) => {
  const words = rest.split(' ');
  return { sources: words.slice(0, -1), to: words.at(-1) ?? '' };
});
