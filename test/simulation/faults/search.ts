import { play, type Story } from '../play.ts';
import { recordedSeeds } from './recorded-seeds.ts';

/** A failure that shows a fault. */
export interface Notice {
  readonly seed: number;
  readonly problem: string;
}

/** A story in which a fault is planted. */
interface Search {
  readonly begin: (seed: number) => Story;
  /** The failure that shows this fault. Any other failure may be a mistake in the planting. */
  readonly sign: RegExp;
}

/** The number of seeds among which each fault must be noticed. */
export const noticedWithin = 1_000;

/** Seeds that are played before the failures are checked. Most faults are noticed by the first batch. */
const batchSize = 25;

/** Finds the first failure that shows the fault. */
export const search = async (fault: Search): Promise<Notice | undefined> => {
  for (let first = 1; first <= noticedWithin; first += batchSize) {
    const noticed = await searchAmong(fault, { first, count: batchSize });
    if (noticed !== undefined) return noticed;
  }
  return undefined;
};

/** Plays the recorded story of a fault. Finds another when that does not show the fault any more. */
export const searchFromRecorded = async (name: string, fault: Search): Promise<Notice | undefined> => {
  const { [name]: first } = recordedSeeds;
  const again = first === undefined ? undefined : await searchAmong(fault, { first, count: 1 });
  return again ?? search(fault);
};

const searchAmong = async (
  { begin, sign }: Search,
  seeds: Parameters<typeof play>[0],
): Promise<Notice | undefined> => {
  for (const { seed, problems } of (await play(seeds, {}, begin)).failures) {
    const problem = problems.find((one) => sign.test(one));
    if (problem !== undefined) return { seed, problem };
  }
  return undefined;
};
