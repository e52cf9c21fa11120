import { keepCompiled } from './compile-cache.mjs';

// Before anything else is even looked for.
keepCompiled();
const { main } = await import('./command-line.ts');

await main(['start', ...process.argv.slice(2)]);
