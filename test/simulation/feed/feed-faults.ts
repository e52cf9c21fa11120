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

/** Plays both stories of each seed. */
export const playFeed = async (seeds: Parameters<typeof play>[0]): Promise<readonly Failure[]> => {
  const numbering = await play(seeds, {}, (seed) => new NumberingStory(seed));
  const deliveries = await play(seeds, {}, (seed) => new DeliveryStory(seed));
  return [...numbering.failures, ...deliveries.failures];
};
