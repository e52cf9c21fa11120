import { parseArgs } from 'node:util';
import { faults, storyOf } from './faults/faults.ts';
import { type Notice, noticedWithin, search } from './faults/search.ts';
import { feedFaults, playFeed } from './feed/feed-faults.ts';
import { type Failure, play } from './play.ts';

const usage = `Plays the service's use cases, and the numbering and delivery of its events, in memory, with servers that die, a provider that fails and clients that give up,
in an order that a seed decides, and compares what everybody was told with what happened.

  npm run simulate -- [--seeds <how many>] [--first <seed>]   plays so many stories (1000, from seed 1)
  npm run simulate -- --seed <seed>                           plays one and prints everything that happens in it
  npm run simulate -- --faults                                plants faults, each of which has to be noticed
`;

// Errors are part of the stories, and their stack traces are never read.
Error.stackTraceLimit = 0;

const options = {
  seeds: { type: 'string', default: '1000' },
  first: { type: 'string', default: '1' },
  seed: { type: 'string' },
  faults: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** How many stories are played between two lines of progress. */
const stretch = 20_000;

const main = async (): Promise<number> => {
  const { seed, seeds, first, faults: planting, help } = parseArgs({ options }).values;
  if (help) {
    process.stdout.write(usage);
    return 0;
  }
  if (seed !== undefined) return replay(whole('--seed', seed));
  return planting ? plant() : playAll(whole('--first', first), whole('--seeds', seeds));
};

const whole = (option: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`${option} takes a whole number.`);
  return Number(text);
};

const playAll = async (first: number, count: number): Promise<number> => {
  const began = performance.now();
  const failures: Failure[] = [];
  let steps = 0;
  for (let done = 0; done < count; done += stretch) {
    const played = await play({ first: first + done, count: Math.min(stretch, count - done) });
    failures.push(
      ...played.failures,
      ...(await playFeed({ first: first + done, count: Math.min(stretch, count - done) })),
    );
    steps += played.steps;
    if (count > stretch)
      say(`${Math.min(done + stretch, count)} of ${count} seeds, ${failures.length} failed`);
  }
  const seconds = (performance.now() - began) / 1000;
  failures.forEach(tell);
  const [worst] = failures;
  if (worst !== undefined) await replay(worst.seed);
  const rate = Math.round(count / seconds);
  say(`${count} seeds, ${steps} steps, ${seconds.toFixed(1)} s, ${rate} seeds/s, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
};

/** Plays one story once more, which comes out the same, and prints its schedule. */
const replay = async (seed: number): Promise<number> => {
  const trace: string[] = [];
  const { failures } = await play({ first: seed, count: 1 }, { trace });
  trace.forEach(say);
  const all = [...failures, ...(await playFeed({ first: seed, count: 1 }))];
  all.forEach(tell);
  return all.length === 0 ? 0 : 1;
};

const plant = async (): Promise<number> => {
  let unnoticed = 0;
  const report = (name: string, noticed: Notice | undefined): void => {
    if (noticed === undefined) unnoticed += 1;
    say(noticed ? `noticed   ${name}: seed ${noticed.seed}, ${noticed.problem}` : `UNNOTICED ${name}`);
  };
  for (const [name, fault] of Object.entries(faults)) report(name, await search(storyOf(fault)));
  for (const [name, fault] of Object.entries(feedFaults)) report(name, await search(fault));
  const planted = Object.keys(faults).length + Object.keys(feedFaults).length;
  say(`${planted} faults planted, ${unnoticed} unnoticed among ${noticedWithin} seeds each`);
  return unnoticed === 0 ? 0 : 1;
};

const tell = ({ seed, problems }: Failure): void => {
  say(`seed ${seed} failed; npm run simulate -- --seed ${seed} shows how`);
  for (const problem of problems) say(`  ${problem}`);
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

// The reader may close the pipe early.
process.stdout.on('error', () => process.exit());

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  process.exitCode = 2;
}
