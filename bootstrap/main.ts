import { main } from './command-line.ts';

await main(['start', ...process.argv.slice(2)]);
