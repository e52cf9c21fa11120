/**
 * Starts the service by the environment and closes it again. What is left open keeps the process from ending: it says how it
 * went, and for how many milliseconds it was kept.
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
