// Builds the npm package of the client (`npm run client`): JavaScript with declarations, and no file of the server.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '../../..');
const [, , destination = join(root, 'dist')] = process.argv;
const tsc = join(root, 'node_modules/typescript/bin/tsc');

const run = (folder: string, file: string, ...args: string[]): string =>
  execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Copies the client's files, with the type of the API written in full, so that they import only each other. */
const copySources = (folder: string): readonly string[] => {
  const declarations = join(folder, 'declarations');
  run(root, process.execPath, tsc, '--project', here, '--rootDir', root, '--outDir', declarations);
  const names = readdirSync(here).filter((name) => name.endsWith('.ts') && name !== 'pack.ts');
  for (const name of names) cpSync(join(here, name), join(folder, name));
  cpSync(join(declarations, 'adapters/http/client/api.d.ts'), join(folder, 'api.ts'));
  return names;
};

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

/** TypeScript keeps `.ts` in the imports of declarations, but its older versions need `.js` there. */
const importJavaScript = (declaration: string): void => {
  const text = readFileSync(declaration, 'utf8');
  writeFileSync(declaration, text.replaceAll(/(from ["']\.\/[a-z-]+)\.ts(["'])/g, '$1.js$2'));
};

/** The package.json of the package. */
const packageJson = (): object => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name,
    version,
    description: 'A typed client of Portico, whose calls are safe to repeat.',
    license,
    type: 'module',
    sideEffects: false,
    exports: { './client': { types: './client/index.d.ts', default: './client/index.js' } },
    engines: { node: '>=20.3' },
  };
};

const folder = mkdtempSync(join(tmpdir(), 'portico-client-'));
try {
  const [sources, output] = [join(folder, 'sources'), join(folder, 'package')];
  mkdirSync(sources);
  mkdirSync(output);
  writeFileSync(join(sources, 'package.json'), '{ "type": "module" }');
  const names = copySources(sources);
  run(sources, process.execPath, tsc, ...options, '--outDir', join(output, 'client'), ...names);
  for (const name of names) importJavaScript(join(output, 'client', name.replace(/\.ts$/, '.d.ts')));
  writeFileSync(join(output, 'package.json'), `${JSON.stringify(packageJson(), null, 2)}\n`);
  cpSync(join(root, 'docs/client.md'), join(output, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(output, 'LICENSE'));
  mkdirSync(destination, { recursive: true });
  const tarball = run(output, 'npm', 'pack', '--silent', '--pack-destination', resolve(destination)).trim();
  process.stdout.write(`${join(destination, tarball)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
