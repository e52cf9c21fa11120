import { type Failure, play, type Story } from '../play.ts';
import { deliveryFaults } from './delivery-faults.ts';
import { DeliveryStory } from './delivery-story.ts';
import { NumberingStory, wrongNumberings } from './numbering-story.ts';

interface FeedFault {
  readonly begin: (seed: number) => Story;
  /** The failure that shows this fault. */
  readonly sign: RegExp;
}

/** Faults of the numbering of events and of the deliveries of webhooks, each with the story that shows it. */
export const feedFaults: Readonly<Record<string, FeedFault>> = Object.fromEntries([
  ...Object.entries(wrongNumberings).map(([name, numbering]) => [
    name,
    {
      begin: (seed: number) => new NumberingStory(seed, numbering),
      sign: /has the sequence|was seen \d times|came after a later one/,
    },
  ]),
  ...Object.entries(deliveryFaults).map(([name, { planted, sign }]) => [
    name,
    { begin: (seed: number) => new DeliveryStory(seed, planted), sign },
  ]),
]);

/** Stories that are played before their failures are looked at. */
const batchSize = 25;

/** Finds the first failure that shows the fault. @param count how many seeds are tried */
export const noticeInFeed = async (
  { begin, sign }: FeedFault,
  count: number,
): Promise<{ readonly seed: number; readonly problem: string } | undefined> => {
  for (let first = 1; first <= count; first += batchSize) {
    const { failures } = await play({ first, count: batchSize }, {}, begin);
    for (const { seed, problems } of failures) {
      const problem = problems.find((one) => sign.test(one));
      if (problem !== undefined) return { seed, problem };
    }
  }
  return undefined;
};

/** Plays both stories of each seed. */
export const playFeed = async (seeds: Parameters<typeof play>[0]): Promise<readonly Failure[]> => {
  const numbering = await play(seeds, {}, (seed) => new NumberingStory(seed));
  const deliveries = await play(seeds, {}, (seed) => new DeliveryStory(seed));
  return [...numbering.failures, ...deliveries.failures];
};
