// What `npm start` runs. It is JavaScript, so that the compile cache is on before Node loads its TypeScript support.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Only those who installed the packages can write there; where the process cannot, every start compiles anew.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { main } = await import('./cli/main.ts');

await main(['start', ...process.argv.slice(2)]);
