import { answerTo } from './canned.ts';
import type { Databases } from './databases.ts';
import type { Generator } from './generator.ts';
import { type Compared, compare, type Plan, type Side } from './measure.ts';
import { ownGenerator } from './own-generator.ts';
import { aDeepPage, oneProduct, page, type Stand } from './requests.ts';
import type { Scenario } from './scenarios.ts';
import { type Stands, toCanned } from './stands.ts';

/** How often, how long and by how many each is asked. */
export interface Pace {
  readonly generator: Generator;
  readonly connections: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** Asks for a bit of everything, until code that is used often is as fast as it gets. @param seconds for how long */
export const warm = async (stand: Stand, seconds: number): Promise<void> => {
  const requests = [...oneProduct(stand), ...aDeepPage(stand), ...(await page(20)(stand))];
  if (stand.catalogue.ids.length === 0) return;
  await ownGenerator.run({ port: stand.port, requests, from: 0, connections: 32, seconds });
};

/** Holds Portico in one scenario against what it is held against. */
export const measure = async (
  scenario: Scenario,
  stands: Stands,
  { serverId }: Databases,
  pace: Pace,
): Promise<Compared> => {
  const { asked, other = asked, isCanned, id, status } = scenario;
  const [one, another] = [stands[scenario.who], stands[scenario.against]];
  const mine = await asked(one);
  const theirs = isCanned ? mine.map((wire) => toCanned(wire, id)) : await other(another);
  await requireAlike(scenario, [one, mine], [another, theirs]);
  const sideOf = (stand: Stand, requests: readonly string[]): Side => ({
    id: stand.id,
    port: stand.port,
    requests,
    // The first has been sent, to see what comes back.
    sent: 1,
    isRefused: status >= 400,
    ...(serverId !== undefined && { databaseId: serverId }),
  });
  const plan: Plan = { ...pace, connections: scenario.connections ?? pace.connections };
  return compare(sideOf(one, mine), sideOf(another, theirs), plan);
};

/** How much longer one answer may be than the other: not every order has the same price. */
const alike = 0.05;

type Asked = readonly [stand: Stand, requests: readonly string[]];

/** @throws when what is to be measured is not answered, or the yardstick answers something else */
const requireAlike = async ({ name, status, against }: Scenario, one: Asked, other: Asked): Promise<void> => {
  const [mine, theirs] = await Promise.all(
    [one, other].map(([stand, requests]) => answerTo(stand.port, requests[0] ?? '')),
  );
  if (mine === undefined || theirs === undefined) throw new Error(`Nothing is asked for in ${name}.`);
  const isAnswered = mine.status === status && (theirs.status === status || against !== 'yardstick');
  const difference = Math.abs(mine.body.length - theirs.body.length);
  const isAlike = against !== 'yardstick' || difference <= alike * mine.body.length;
  if (!isAnswered || !isAlike) {
    throw new Error(
      `The two answer differently for ${name}:\n${JSON.stringify(mine)}\n${JSON.stringify(theirs)}`,
    );
  }
};
