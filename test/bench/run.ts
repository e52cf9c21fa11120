import type { Arguments } from './arguments.ts';
import { measure, type Pace, warm } from './bench.ts';
import { type Kind, prepare } from './databases.ts';
import type { Generator } from './generator.ts';
import { judge } from './judge.ts';
import { ownGenerator } from './own-generator.ts';
import type { Scenario } from './scenarios.ts';
import { legend, type Result, remarks, shown, titles } from './show.ts';
import { openStands } from './stands.ts';
import { findWrk } from './wrk.ts';

type Tell = (text: string) => void;

/** @returns whether everything that was asked was answered as it should be and, as a guard, fast enough */
export const run = async (
  given: Arguments,
  everything: AsyncDisposableStack,
  tell: Tell,
): Promise<boolean> => {
  const generator = (await findWrk()) ?? ownGenerator;
  let isGood = true;
  tell(`${given.products} products, ${given.connections} connections, asked by ${generator.name}`);
  for (const kind of given.kinds) {
    const cleanUp = everything.use(new AsyncDisposableStack());
    const results = await resultsOn(kind, given, generator, cleanUp);
    await cleanUp.disposeAsync();
    tell(`\n${titles[kind]}\n${shown(kind, results)}`);
    for (const remark of remarks(results)) tell(remark);
    isGood &&= results.every(
      ({ scenario, compared }) =>
        compared.portico.wrong + compared.against.wrong === 0 &&
        (!given.isGuard || judge(scenario, kind, compared, margin).isReached),
    );
  }
  tell(`\n${legend}`);
  return isGood;
};

/** What part of a goal a guard wants to see: so short a run is no measure. */
const margin = 0.85;

const tries = 3;

const resultsOn = async (
  kind: Kind,
  given: Arguments,
  generator: Generator,
  cleanUp: AsyncDisposableStack,
): Promise<Result[]> => {
  const { products, isGuard, rounds, seconds, warmUp } = given;
  const isFirst = kind === given.kinds[0];
  const chosen = given.chosen.filter(({ isAside }) => !isGuard || !isAside || isFirst);
  const hasSmaller = chosen.some(({ against }) => against === 'smaller');
  const databases = await prepare(kind, { products, hasSmaller }, cleanUp);
  const lasting = warmUp + rounds * seconds;
  const stands = await openStands({ databases, chosen, seconds: 1.2 * lasting }, cleanUp);
  for (const stand of new Set(Object.values(stands))) await warm(stand, 2 * warmUp);
  const pace: Pace = { ...given, generator };
  const results: Result[] = [];
  for (const scenario of chosen) {
    let compared = await measure(scenario, stands, databases, pace);
    for (let more = 1; isGuard && more < tries && isMissed(scenario, kind, compared); more += 1) {
      compared = await measure(scenario, stands, databases, pace);
    }
    results.push({ scenario, compared });
  }
  return results;
};

const isMissed = (scenario: Scenario, kind: Kind, compared: Result['compared']): boolean =>
  !judge(scenario, kind, compared, margin).isReached;
