import { type Options, Simulation } from './simulation.ts';

/** What a seed decides, step by step. */
export interface Story {
  /** What went wrong; undefined while the story goes on. */
  readonly problems: readonly string[] | undefined;
  readonly steps: number;
  step(): void;
}

/** How many stories go on at once, so that the event loop's own cost is shared by them. */
const maxConcurrency = 8;

export interface Failure {
  readonly seed: number;
  readonly problems: readonly string[];
}

export interface Played {
  readonly seeds: number;
  readonly steps: number;
  readonly failures: readonly Failure[];
}

/** Plays the story of each seed from the first. @param begin begins another kind of story than that of the shop */
export const play = async (
  seeds: { readonly first: number; readonly count: number },
  options: Options = {},
  begin: (seed: number) => Story = (seed) => new Simulation(seed, options),
): Promise<Played> => {
  const failures: Failure[] = [];
  const end = seeds.first + seeds.count;
  let next = seeds.first;
  let steps = 0;
  let played = 0;
  let going: { readonly seed: number; readonly story: Story }[] = [];
  while (next < end || going.length > 0) {
    while (going.length < maxConcurrency && next < end) {
      going.push({ seed: next, story: begin(next) });
      next += 1;
    }
    for (const { story } of going) story.step();
    await new Promise(setImmediate);
    going = going.filter(({ seed, story }) => {
      if (story.problems === undefined) return true;
      if (story.problems.length > 0) failures.push({ seed, problems: story.problems });
      steps += story.steps;
      played += 1;
      return false;
    });
  }
  return { seeds: played, steps, failures };
};
