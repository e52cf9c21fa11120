// Measures how fast Portico is beside what one would write by hand: `npm run bench -- --help`.
import { setTimeout as pause } from 'node:timers/promises';
import { type Arguments, readArguments, usage } from './arguments.ts';
import { run } from './run.ts';

const everything = new AsyncDisposableStack();

const main = async (given: Arguments): Promise<void> => {
  let ending = false;
  const interrupt = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await Promise.race([everything.disposeAsync().catch(() => undefined), pause(5_000)]);
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  try {
    if (!(await run(given, everything, (text) => process.stdout.write(`${text}\n`)))) process.exitCode = 1;
  } catch (error) {
    // Servers are being stopped, so measurements fail; the signal handler exits the process.
    if (ending) await new Promise(() => undefined);
    throw error;
  } finally {
    await everything.disposeAsync();
  }
};

/** Exits after `--help` or an invalid argument. */
const readOrExit = (): Arguments => {
  try {
    const given = readArguments(process.argv.slice(2));
    if (given !== undefined) return given;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
};

await main(readOrExit());
