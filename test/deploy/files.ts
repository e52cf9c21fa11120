import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../http/support/client.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file of the repository. */
export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Every YAML file for running Portico. */
export const yamlFiles: readonly string[] = [
  'compose.yaml',
  ...readdirSync(join(root, 'docs/deploy'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `docs/deploy/${name}`),
];

/** The documents in a YAML file, with anchors resolved. @throws when it is invalid or has a duplicate key */
export const documentsIn = (file: string): readonly Json[] =>
  parseAllDocuments(textOf(file), { merge: true, uniqueKeys: true }).map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) throw problem;
    return document.toJS();
  });

/** `NAME=value` lines. */
export const environmentIn = (file: string): ReadonlyMap<string, string> =>
  new Map(
    textOf(file)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
        if (name === undefined || value === undefined) throw new SyntaxError(`${file}: ${line}`);
        return [name, value] as const;
      }),
  );

/** An example of a proxy, with the lines that are commented out for listeners that are off by default. */
export const uncommented = (example: string): string => example.replaceAll(/^(\s*)#(?=[^\s#])/gm, '$1');
