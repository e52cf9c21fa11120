// Builds an npm package, and prints the path of its tarball. Node strips no types below node_modules, so a package holds
// JavaScript with declarations.
//
//   npm run package [-- FOLDER]   the server, its entries, the command `portico`, and the client
//   npm run client [-- FOLDER]    the client alone, without dependencies
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildClient } from './client.ts';
import { root, run } from './compile.ts';
import { clientManifest, fullManifest, serverEntries } from './manifest.ts';
import { buildServer } from './server.ts';

const { values, positionals } = parseArgs({
  options: { client: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [destination = join(root, 'dist')] = positionals;

const scratch = mkdtempSync(join(tmpdir(), 'portico-package-'));
try {
  const output = join(scratch, 'package');
  mkdirSync(output);
  buildClient(join(scratch, 'client'), join(output, 'client'));
  if (!values.client) buildServer(serverEntries, output);
  const [manifest, readme] = values.client ? [clientManifest, 'docs/client.md'] : [fullManifest, 'README.md'];
  writeFileSync(join(output, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, readme), join(output, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(output, 'LICENSE'));
  // The docs page shows the changelog.
  if (!values.client)
    for (const paper of ['CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md'])
      cpSync(join(root, paper), join(output, paper));
  mkdirSync(destination, { recursive: true });
  const packed = run(output, 'npm', 'pack', '--silent', '--pack-destination', scratch).trim();
  // Both are the package `portico`, so that imports are the same, and each has a file of its own.
  const tarball = values.client ? packed.replace(/^portico-/, 'portico-client-') : packed;
  cpSync(join(scratch, packed), join(resolve(destination), tarball));
  process.stdout.write(`${join(destination, tarball)}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
