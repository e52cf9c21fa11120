import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileDeclarations, importScripts, root, runTsc } from './compile.ts';

const client = 'adapters/http/client';

/** An old target, and no types but the browser's, so that the compiler rejects what a browser or Node 20.3 lacks. */
const options = [
  ...['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''],
  ...[
    '--strict',
    '--exactOptionalPropertyTypes',
    '--rewriteRelativeImportExtensions',
    '--verbatimModuleSyntax',
  ],
  ...['--declaration', '--noEmitOnError'],
];

/** Copies the client's files, with the type of the API written in full, so that they import only each other. */
const copySources = (folder: string): readonly string[] => {
  const declarations = join(folder, 'declarations');
  compileDeclarations([`${client}/index.ts`], declarations);
  const names = readdirSync(join(root, client)).filter((name) => name.endsWith('.ts'));
  for (const name of names) cpSync(join(root, client, name), join(folder, name));
  cpSync(join(declarations, client, 'api.d.ts'), join(folder, 'api.ts'));
  return names;
};

/**
 * Builds the client: JavaScript with declarations, without a file of the server.
 * @param scratch a new folder for what is needed in between
 */
export const buildClient = (scratch: string, output: string): void => {
  mkdirSync(scratch);
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }');
  const names = copySources(scratch);
  runTsc(scratch, ...options, '--outDir', output, ...names);
  for (const name of names) importScripts(join(output, name.replace(/\.ts$/, '.d.ts')));
};
