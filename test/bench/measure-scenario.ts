import { type Comparison, type ComparisonOptions, compare, type Side } from './compare.ts';
import { sendOnce } from './load/canned.ts';
import type { Generator } from './load/generator.ts';
import { ownGenerator } from './load/own-generator.ts';
import { deepPages, firstPage, singleProducts, type Target } from './requests.ts';
import type { Scenario } from './scenarios.ts';
import type { Databases } from './servers/databases.ts';
import { type Targets, toCanned } from './servers/stands.ts';

/** Load of a run: durations in seconds. */
export interface Pace {
  readonly generator: Generator;
  readonly connections: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** Sends a mix of reads until V8 has optimized them. @param seconds duration of the load */
export const warm = async (stand: Target, seconds: number): Promise<void> => {
  const requests = [...singleProducts(stand), ...deepPages(stand), ...(await firstPage(20)(stand))];
  if (stand.catalogue.ids.length === 0) return;
  await ownGenerator.run({ port: stand.port, requests, from: 0, connections: 32, seconds });
};

/** Measures one scenario on its subject and its baseline. @throws if the two do not answer alike */
export const measure = async (
  scenario: Scenario,
  stands: Targets,
  { serverId }: Databases,
  pace: Pace,
): Promise<Comparison> => {
  const { requests, beside, baselineRequests = requests, isCanned, id, status } = scenario;
  const [one, another] = [stands[scenario.subject], stands[scenario.baseline]];
  const mine = await requests(one);
  const theirs = isCanned ? mine.map((wire) => toCanned(wire, id)) : await baselineRequests(another);
  await requireAlike(scenario, [one, mine], [another, theirs]);
  const sideOf = async (stand: Target, requests: readonly string[]): Promise<Side> => ({
    id: stand.id,
    port: stand.port,
    requests,
    beside: await beside?.(stand),
    // `requireAlike` has sent the first.
    sent: 1,
    isOnce: scenario.isOnce,
    expectsErrors: status >= 400,
    ...(serverId !== undefined && { databaseId: serverId }),
  });
  const plan: ComparisonOptions = { ...pace, connections: scenario.connections ?? pace.connections };
  return compare(await sideOf(one, mine), await sideOf(another, theirs), plan);
};

/** Allowed difference of body lengths, as a fraction: orders have different prices. */
const maxLengthDifference = 0.05;

type Requested = readonly [target: Target, requests: readonly string[]];

/** @throws if a response has an unexpected status, or the yardstick's body differs in length */
const requireAlike = async (
  { name, status, baseline: against }: Scenario,
  one: Requested,
  other: Requested,
): Promise<void> => {
  const [mine, theirs] = await Promise.all(
    [one, other].map(([stand, requests]) => sendOnce(stand.port, requests[0] ?? '')),
  );
  if (mine === undefined || theirs === undefined) throw new Error(`${name} has no requests.`);
  const isAnswered = mine.status === status && (theirs.status === status || against !== 'yardstick');
  const difference = Math.abs(mine.body.length - theirs.body.length);
  const isAlike = against !== 'yardstick' || difference <= maxLengthDifference * mine.body.length;
  if (!isAnswered || !isAlike) {
    throw new Error(`The responses for ${name} differ:\n${JSON.stringify(mine)}\n${JSON.stringify(theirs)}`);
  }
};
