// Asks two packages of the folder where it runs what they find, with a cache in that folder.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { keepResolved } from '#bootstrap/process/resolution-cache.mjs';

keepResolved(process.cwd(), process.cwd());
const require = createRequire(join(process.cwd(), '..', 'asking.js'));
for (const name of ['plain', 'choosy']) {
  process.stdout.write(`${name}: ${require(join(process.cwd(), 'node_modules', name)).from}\n`);
}
