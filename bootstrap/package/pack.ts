// Builds an npm package, and prints the path of its tarball. Node strips no types below node_modules, so a package holds
// JavaScript with declarations.
//
//   npm run package [-- FOLDER]   the server, its entries, the command `portico`, and the client
//   npm run client [-- FOLDER]    the client alone, without dependencies
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './compile.ts';
import { packTarball } from './tarball.ts';

const { values, positionals } = parseArgs({
  options: { client: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [destination = join(root, 'dist')] = positionals;

process.stdout.write(`${packTarball(values.client ? 'client' : 'all', destination)}\n`);
