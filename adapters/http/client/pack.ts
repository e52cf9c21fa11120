// Makes the package that clients install, `npm run client`: plain JavaScript with declarations, and nothing of the server.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '../../..');
const [, , destination = join(root, 'dist')] = process.argv;
const tsc = join(root, 'node_modules/typescript/bin/tsc');

const run = (folder: string, file: string, ...given: string[]): string =>
  execFileSync(file, given, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** The client's own files, in which the type of the API is spelled out, so that they refer to nothing else. */
const gatherSources = (folder: string): readonly string[] => {
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

/** TypeScript leaves the names of files in declarations as they were; older ones of it want those of the JavaScript. */
const nameJavaScript = (declaration: string): void => {
  const text = readFileSync(declaration, 'utf8');
  writeFileSync(declaration, text.replaceAll(/(from ["']\.\/[a-z]+)\.ts(["'])/g, '$1.js$2'));
};

/** What npm is told of the package. */
const described = (): object => {
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
  const [sources, made] = [join(folder, 'sources'), join(folder, 'package')];
  mkdirSync(sources);
  mkdirSync(made);
  writeFileSync(join(sources, 'package.json'), '{ "type": "module" }');
  const names = gatherSources(sources);
  run(sources, process.execPath, tsc, ...options, '--outDir', join(made, 'client'), ...names);
  for (const name of names) nameJavaScript(join(made, 'client', name.replace(/\.ts$/, '.d.ts')));
  writeFileSync(join(made, 'package.json'), `${JSON.stringify(described(), null, 2)}\n`);
  cpSync(join(root, 'docs/client.md'), join(made, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(made, 'LICENSE'));
  mkdirSync(destination, { recursive: true });
  const tarball = run(made, 'npm', 'pack', '--silent', '--pack-destination', resolve(destination)).trim();
  process.stdout.write(`${join(destination, tarball)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
