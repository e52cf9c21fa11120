// What `npm start` runs. It is JavaScript, so that the compile cache is on before Node loads its TypeScript support.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Only the user that installed the packages can write to this folder. A process of another user compiles at every start.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { main } = await import('./cli/main.ts');

await main(['start', ...process.argv.slice(2)]);
