// Kills servers in the middle of payments and counts what went wrong: `npm run chaos -- --help`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '#test/support/random.ts';
import { print, runCommand } from '../lab/command-line.ts';
import { Violations } from '../lab/violations.ts';
import { type Arguments, readArguments, usage } from './arguments.ts';
import { sweep } from './calls/sweep.ts';
import { requireStrace } from './calls/trace.ts';
import { killsOfRound } from './conditions.ts';
import { noCounts } from './counts.ts';
import { warmUp } from './fixture.ts';
import { steadyPorts } from './ports.ts';
import { playRound } from './round.ts';
import { progress, summary } from './table.ts';

const run = async (args: Arguments, violations: Violations, cleanUp: AsyncDisposableStack): Promise<void> => {
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  const counts = noCounts();
  const folder = await mkdtemp(join(tmpdir(), 'portico-chaos-'));
  cleanUp.defer(async () => {
    // The servers' logs help to find the cause.
    if (violations.total === 0) await rm(folder, { recursive: true, force: true });
    else print(`The logs are in ${folder}`);
  });
  const progressTimer = setInterval(
    () => print(progress(counts, violations, args.atSystemCalls ? undefined : args.kills, seconds())),
    process.stdout.isTTY ? 5_000 : 15_000,
  );
  cleanUp.defer(() => clearInterval(progressTimer));

  const random = new Random(args.seed);
  const [api1, ops1, events1, api2, ops2, events2] = await steadyPorts();
  const ports = [
    { api: api1, ops: ops1, events: events1 },
    { api: api2, ops: ops2, events: events2 },
  ] as const;
  const options = { ...args, folder, cache: join(folder, 'compiled'), ports };

  /** Stops at the end of a round what the round has started. */
  const inRound = async (play: (own: AsyncDisposableStack) => Promise<void>): Promise<void> => {
    const own = cleanUp.use(new AsyncDisposableStack());
    await play(own);
    await own.disposeAsync();
  };
  const onUnexpectedExit = (detail: string): never => {
    throw new Error(`The servers cannot start: ${detail}`);
  };
  // A cluster takes long to start, and its adapter is the same.
  const warmUpDatabase = args.database === 'galera' ? 'mariadb' : args.database;
  await inRound((own) => warmUp({ ...options, database: warmUpDatabase, cleanUp: own, onUnexpectedExit }));
  if (args.atSystemCalls) {
    await inRound((own) => sweep({ ...options, random, violations, counts, cleanUp: own, print }));
  }
  for (let left = args.atSystemCalls ? 0 : args.kills; left > 0; left -= killsOfRound(args)) {
    const kills = Math.min(left, killsOfRound(args));
    await inRound((own) =>
      playRound({ ...options, kills, random: random.fork(), violations, counts, cleanUp: own }),
    );
  }
  print(summary(args, counts, violations, seconds()));
};

const read = (given: readonly string[]): Arguments | undefined => {
  const args = readArguments(given);
  if (args?.atSystemCalls) requireStrace();
  return args;
};

await runCommand({
  ...{ name: 'chaos', usage, read },
  run: async (args, { cleanUp, interrupted }) => {
    const violations = new Violations(print);
    // What is stopped in the middle would be counted.
    interrupted.addEventListener('abort', () => violations.close());
    await run(args, violations, cleanUp);
    return violations.total === 0;
  },
});
