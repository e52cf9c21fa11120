import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Json } from '../http/support/client.ts';

/** The packages of the generators. `npm run e2e` installs them. */
export const packages = join(import.meta.dirname, 'node_modules');

/** A line of the section in docs/api.md: `npx orval@8.38.0 --input openapi.json`. */
export interface DocumentedCommand {
  /** Name and version of the package: `orval@8.38.0`. */
  readonly generator: string;
  readonly args: readonly string[];
}

const jsonOf = (file: string): Json => JSON.parse(readFileSync(file, 'utf8'));

/** The folder of each installed package, by name and version. Two versions of orval have names of their own here. */
const folders: ReadonlyMap<string, string> = new Map(
  Object.entries<string>(jsonOf(join(import.meta.dirname, 'package.json')).dependencies).map(
    ([folder, version]) => [version.startsWith('npm:') ? version.slice(4) : `${folder}@${version}`, folder],
  ),
);

const commandLine = /^npx (\S+@[\d.]+) (.+)$/gm;

export const documentedCommands = (): readonly DocumentedCommand[] => {
  const [, section = ''] = readFileSync('docs/api.md', 'utf8').split('\n## Generated clients\n');
  return [...section.matchAll(commandLine)].map(([, generator = '', args = '']) => ({
    generator,
    args: args.split(' '),
  }));
};

/**
 * Runs a command as npx would, with the package of test/generators.
 * @param folder the current folder of the command
 * @throws when the package is not installed in that version, or the command fails
 */
export const run = async ({ generator, args }: DocumentedCommand, folder: string): Promise<void> => {
  const name = folders.get(generator);
  if (name === undefined) throw new Error(`${generator} is not in test/generators/package.json.`);
  const { bin } = jsonOf(join(packages, name, 'package.json'));
  const [program = ''] = typeof bin === 'string' ? [bin] : Object.values<string>(bin);
  await promisify(execFile)(process.execPath, [join(packages, name, program), ...args], { cwd: folder });
};
