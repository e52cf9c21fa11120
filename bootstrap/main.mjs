// What `npm start` runs. It is JavaScript, so that the compile cache is on before Node loads its TypeScript support.
import { launch } from './launch.mjs';

launch(['start', ...process.argv.slice(2)]);
