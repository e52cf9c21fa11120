import { textOf } from './files.ts';

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const known =
  /^(ARG|FROM|LABEL|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD)$/;

/** The instructions of the Dockerfile in order, each on one line. @throws SyntaxError at a line that is none */
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

/** The only instruction of that name. */
export const the = (wanted: string): string => {
  const [rest, ...others] = all(wanted);
  if (rest === undefined || others.length > 0) throw new Error(`${wanted} stands ${others.length} times.`);
  return rest;
};

/** The environment of the image. */
export const environment: Readonly<Record<string, string>> = Object.fromEntries(
  all('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
);

/** The command of the health check. */
export const healthCheck: readonly string[] = JSON.parse(the('HEALTHCHECK').replace(/^.* CMD /, ''));

/** The sources and targets of the COPY instructions. */
export const copies: readonly { readonly sources: readonly string[]; readonly to: string }[] = all(
  'COPY',
).map((rest) => {
  const words = rest.split(' ');
  return { sources: words.slice(0, -1), to: words.at(-1) ?? '' };
});
