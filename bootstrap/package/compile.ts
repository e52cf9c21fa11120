import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

export const run = (folder: string, file: string, ...args: readonly string[]): string =>
  execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Runs the compiler. @throws when it reports an error, which it prints */
export const runTsc = (folder: string, ...args: readonly string[]): string =>
  run(folder, process.execPath, tsc, ...args);

interface Sources {
  /** Folders, or files, from the root of the repository. */
  readonly include: readonly string[];
  /** Where the results go, each at the path of its source. */
  readonly output: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Compiles sources with the options of the repository. The types have been checked before (`npm run types`). */
const compile = ({ include, output, options }: Sources): void => {
  const project = `${output}.tsconfig.json`;
  const compilerOptions = {
    ...{ noEmit: false, noCheck: true, rootDir: root, outDir: output },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    ...options,
  };
  const files = include.map((path) => join(root, path));
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: files, exclude: [] }),
  );
  runTsc(root, '--project', project);
};

/**
 * Compiles files to JavaScript, with `.js` in relative imports. The comments are in the declarations. A script without imports
 * stays one that a browser can load in the head of a page (`moduleDetection`).
 */
export const compileScripts = (include: readonly string[], output: string): void =>
  compile({
    ...{ include, output },
    options: {
      ...{ rewriteRelativeImportExtensions: true, removeComments: true },
      ...{ moduleDetection: 'legacy', allowJs: true },
    },
  });

/** Writes the declarations of the entries and of all that they reach. */
export const compileDeclarations = (entries: readonly string[], output: string): void =>
  compile({ include: entries, output, options: { declaration: true, emitDeclarationOnly: true } });

/** TypeScript keeps `.ts` in the relative imports of declarations. Its older versions need `.js` there. */
export const importScripts = (file: string): void => {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/((?:from |import\()["']\.[^"']*)\.ts(["'])/g, '$1.js$2'));
};
