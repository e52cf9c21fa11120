import { cpSync, globSync } from 'node:fs';
import { join, sep } from 'node:path';
import { compileDeclarations, compileScripts, importScripts, root } from './compile.ts';

const folders = ['domain', 'application', 'adapters', 'bootstrap'];

/** The folders of the clone from which files are packaged, whether git knows them or not. */
export const packagedFolders: readonly string[] = [...folders, 'docs'];

/** What only a clone needs, and the client, which is built apart. */
const notPackaged = [
  ...['bootstrap/package', 'bootstrap/prepare.mjs', 'adapters/http/client'],
  ...['strip-types.ts', 'served-types', 'tsconfig.json'].map((name) => `adapters/ops/${name}`),
];

/** Papers that the program does not read. */
const notRead = [
  'docs/benchmarks',
  'docs/decisions',
  ...[1440, 390].map((width) => `docs/images/reference-beside-scalar-${width}.png`),
];

const isIn = (paths: readonly string[], file: string): boolean =>
  paths.some((path) => file === path || file.startsWith(`${path}${sep}`));

/** Modules for a browser that are JavaScript import TypeScript, so the compiler rewrites their imports, too. */
const isScript = (file: string): boolean => /\.ts$|\/browser\/.*\.js$/.test(file);

/**
 * Builds the server and its entries at the paths of their sources: scripts, the declarations that the entries reach, and the
 * files that the program reads.
 * @param entries the sources of the entries
 */
export const buildServer = (entries: readonly string[], output: string): void => {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.*`, { cwd: root }));
  const packaged = files.filter((file) => !isIn(notPackaged, file));
  // The entries import files that are in none of the folders: the suites of `test/contracts`.
  const scripts = new Set([...packaged.filter(isScript), ...entries]);
  compileScripts([...scripts], output);
  compileDeclarations(entries, output);
  const kept = packaged.filter((file) => !isScript(file));
  for (const file of kept) cpSync(join(root, file), join(output, file));
  const rewritten = globSync(['**/*.d.ts', 'bootstrap/**/*.mjs'], { cwd: output });
  for (const file of rewritten) importScripts(join(output, file));
  cpSync(join(root, 'docs'), join(output, 'docs'), {
    recursive: true,
    filter: (file) => !isIn(notRead, file.slice(root.length + 1)),
  });
};
