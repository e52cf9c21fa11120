import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Json } from '../http/support/client.ts';
import { Program } from '../lab/program.ts';

/** Folders with packages of generators: `npm run night` installs all of them, and `npm run e2e` the one that runs by day. */
export const installations = { all: import.meta.dirname, byDay: join(import.meta.dirname, 'by-day') };

/** A line of the section in docs/api.md: `npx orval@8.38.0 --input openapi.json`. */
export interface DocumentedCommand {
  /** Name and version of the package: `orval@8.38.0`. */
  readonly generator: string;
  readonly args: readonly string[];
}

const jsonOf = (file: string): Json => JSON.parse(readFileSync(file, 'utf8'));

/** The folder of a package, by name and version. Two versions of orval have names of their own here. */
const folderOf = (generator: string, installation: string): string | undefined =>
  Object.entries<string>(jsonOf(join(installation, 'package.json')).dependencies).find(
    ([folder, version]) =>
      generator === (version.startsWith('npm:') ? version.slice(4) : `${folder}@${version}`),
  )?.[0];

const commandLine = /^npx (\S+@[\d.]+) (.+)$/gm;

export const documentedCommands = (): readonly DocumentedCommand[] => {
  const [, section = ''] = readFileSync('docs/api.md', 'utf8').split('\n## Generated clients\n');
  return [...section.matchAll(commandLine)].map(([, generator = '', args = '']) => ({
    generator,
    args: args.split(' '),
  }));
};

/**
 * Runs a command as npx would, with a package that is installed here.
 * @param folder the current folder of the command
 * @throws when the package is not installed in that version, or the command fails
 */
export const run = async (
  { generator, args }: DocumentedCommand,
  installation: string,
  folder: string,
): Promise<void> => {
  const name = folderOf(generator, installation);
  if (name === undefined) throw new Error(`${generator} is not in ${installation}/package.json.`);
  const place = join(installation, 'node_modules', name);
  if (!existsSync(place))
    throw new Error(`Run node bootstrap/prepare.mjs ${relative('', installation)} first.`);
  const { bin } = jsonOf(join(place, 'package.json'));
  const [program = ''] = typeof bin === 'string' ? [bin] : Object.values<string>(bin);
  await new Program(join(place, program), { environment: process.env, folder, words: args }).succeeded();
};
