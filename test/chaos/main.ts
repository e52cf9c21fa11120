// Kills servers in the middle of payments and counts what went wrong: `npm run chaos -- --help`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '#test/support/random.ts';
import { stopPostgres } from '../support/postgres.ts';
import { type Arguments, readArguments, usage } from './arguments.ts';
import { killsOfRound } from './conditions.ts';
import { noCounts } from './counts.ts';
import { steadyPort } from './ports.ts';
import { playRound } from './round.ts';
import { warmUp } from './stage.ts';
import { progress, table } from './table.ts';
import { Violations } from './violations.ts';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const run = async (
  given: Arguments,
  violations: Violations,
  cleanUp: AsyncDisposableStack,
): Promise<void> => {
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  const counts = noCounts();
  const folder = await mkdtemp(join(tmpdir(), 'portico-chaos-'));
  cleanUp.defer(async () => {
    // The servers' logs tell how it came about.
    if (violations.total === 0) await rm(folder, { recursive: true, force: true });
    else say(`The logs are in ${folder}`);
  });
  cleanUp.defer(stopPostgres);
  const telling = setInterval(
    () => say(progress(counts, violations, given.kills, seconds())),
    process.stdout.isTTY ? 5_000 : 15_000,
  );
  cleanUp.defer(() => clearInterval(telling));

  const random = new Random(given.seed);
  const one = await steadyPort();
  const ports: [number, number] = [one, await steadyPort([one])];
  const setting = { ...given, folder, cache: join(folder, 'compiled'), ports };

  /** What a round has started ends with it. */
  const inRound = async (play: (own: AsyncDisposableStack) => Promise<void>): Promise<void> => {
    const own = cleanUp.use(new AsyncDisposableStack());
    await play(own);
    await own.disposeAsync();
  };
  const died = (detail: string): never => {
    throw new Error(`The servers do not even start: ${detail}`);
  };
  await inRound((own) => warmUp({ ...setting, cleanUp: own, died }));
  for (let left = given.kills; left > 0; left -= killsOfRound) {
    const kills = Math.min(left, killsOfRound);
    await inRound((own) =>
      playRound({ ...setting, kills, random: random.fork(), violations, counts, cleanUp: own }),
    );
  }
  say(table(given, counts, violations, seconds()));
};

const main = async (): Promise<void> => {
  const given = asked();
  const violations = new Violations(say);
  const cleanUp = new AsyncDisposableStack();
  let ending: Promise<never> | undefined;
  const interrupt = (): void => {
    violations.close();
    ending ??= endEverything(cleanUp);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  try {
    await run(given, violations, cleanUp);
    process.exitCode = violations.total === 0 ? 0 : 1;
  } catch (error) {
    // What fails because everything is being ended is no news.
    await ending;
    throw error;
  } finally {
    await cleanUp.disposeAsync();
  }
};

/** Ends what was started, or what can be ended in good time. */
const endEverything = async (cleanUp: AsyncDisposableStack): Promise<never> => {
  await Promise.race([cleanUp.disposeAsync().catch(() => undefined), pause(5_000)]);
  process.exit(130);
};

/** Ends here when nothing is to be done. */
const asked = (): Arguments => {
  try {
    const given = readArguments(process.argv.slice(2));
    if (given !== undefined) return given;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`chaos: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
};

await main();
