import { parseArgs } from 'node:util';
import { print, runCommand, wholeNumber } from '../lab/command-line.ts';
import { resultLine } from '../lab/report.ts';
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

const playAll = async (first: number, count: number): Promise<boolean> => {
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
      print(`${Math.min(done + stretch, count)} of ${count} seeds, ${failures.length} failed`);
  }
  const seconds = (performance.now() - began) / 1000;
  failures.forEach(tell);
  const [worst] = failures;
  if (worst !== undefined) await replay(worst.seed);
  const rate = Math.round(count / seconds);
  print(
    `${count} seeds, ${steps} steps, ${seconds.toFixed(1)} s, ${rate} seeds/s, ${failures.length} failed`,
  );
  return failures.length === 0;
};

/** Plays one story once more, which comes out the same, and prints its schedule. */
const replay = async (seed: number): Promise<boolean> => {
  const trace: string[] = [];
  const { failures } = await play({ first: seed, count: 1 }, { trace });
  trace.forEach(print);
  const all = [...failures, ...(await playFeed({ first: seed, count: 1 }))];
  all.forEach(tell);
  return all.length === 0;
};

const plant = async (): Promise<boolean> => {
  let unnoticed = 0;
  const report = (name: string, noticed: Notice | undefined): void => {
    if (noticed === undefined) unnoticed += 1;
    const line = noticed
      ? resultLine('noticed', name, `seed ${noticed.seed}, ${noticed.problem}`)
      : resultLine('UNNOTICED', name);
    print(line);
  };
  for (const [name, fault] of Object.entries(faults)) report(name, await search(storyOf(fault)));
  for (const [name, fault] of Object.entries(feedFaults)) report(name, await search(fault));
  const planted = Object.keys(faults).length + Object.keys(feedFaults).length;
  print(`${planted} faults planted, ${unnoticed} unnoticed among ${noticedWithin} seeds each`);
  return unnoticed === 0;
};

const tell = ({ seed, problems }: Failure): void => {
  print(`seed ${seed} failed; npm run simulate -- --seed ${seed} shows how`);
  for (const problem of problems) print(`  ${problem}`);
};

type Arguments =
  | { readonly kind: 'stories'; readonly first: number; readonly count: number }
  | { readonly kind: 'one story'; readonly seed: number }
  | { readonly kind: 'faults' };

const read = (given: readonly string[]): Arguments | undefined => {
  const { seed, seeds, first, faults: planting, help } = parseArgs({ args: [...given], options }).values;
  if (help) return undefined;
  if (seed !== undefined) return { kind: 'one story', seed: wholeNumber('--seed', seed) };
  if (planting) return { kind: 'faults' };
  return { kind: 'stories', first: wholeNumber('--first', first), count: wholeNumber('--seeds', seeds) };
};

const run = (args: Arguments): Promise<boolean> => {
  if (args.kind === 'one story') return replay(args.seed);
  return args.kind === 'faults' ? plant() : playAll(args.first, args.count);
};

await runCommand({ name: 'simulate', usage, read, run });
