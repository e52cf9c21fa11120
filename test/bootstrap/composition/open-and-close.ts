/**
 * Starts the service with the environment and closes it again. An open resource keeps the process alive: it prints the outcome,
 * and for how many milliseconds the process stayed alive after that.
 */
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';

try {
  const app = await startApp(readConfig(process.env));
  await fetch(`${app.url}/v1/products`);
  await app.close();
  process.stdout.write('closed');
} catch {
  process.stdout.write('failed');
}
const done = performance.now();
process.once('exit', () => process.stdout.write(` ${performance.now() - done}`));
