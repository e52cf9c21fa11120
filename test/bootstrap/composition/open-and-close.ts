/**
 * Starts the service with the environment and closes it again. It prints the outcome, and the open resources that would keep the
 * process alive.
 */
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { turnsUntil } from '../../support/turns.ts';

try {
  const app = await startApp(readConfig(process.env));
  await fetch(`${app.url}/v1/products`);
  await app.close();
  process.stdout.write('closed');
} catch {
  process.stdout.write('failed');
}

/** What is open besides the output, and the wait for a turn of the event loop. */
const openResources = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((kind) => !['PipeWrap', 'WriteWrap', 'Immediate'].includes(kind));

// Sockets are closed once their peers have answered.
await turnsUntil(() => openResources().length === 0).catch(() => undefined);
process.stdout.write(
  openResources()
    .map((kind) => ` ${kind}`)
    .join(''),
);
