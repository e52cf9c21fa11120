import type { Arguments } from './arguments.ts';
import { measure, type Pace, warm } from './bench.ts';
import { type Kind, prepare } from './databases.ts';
import { type Figure, figuresOf, installation } from './figures.ts';
import type { Generator } from './generator.ts';
import { isKept } from './judge.ts';
import { ownGenerator } from './own-generator.ts';
import { profile } from './profile.ts';
import { save } from './save.ts';
import { legend, type Result, remarks, shown, titles } from './show.ts';
import { openStands } from './stands.ts';
import { sumOf } from './statistics.ts';
import { findWrk } from './wrk.ts';

type Tell = (text: string) => void;

/** @returns whether everything that was asked was answered as it should be and, as a guard, fast enough */
export const run = async (
  given: Arguments,
  everything: AsyncDisposableStack,
  tell: Tell,
): Promise<boolean> => {
  const generator = (await findWrk()) ?? ownGenerator;
  tell(`${given.products} products, ${given.connections} connections, asked by ${generator.name}`);
  if (given.isProfile) return profiled(given, generator, tell);
  const results = new Map<Kind, readonly Result[]>();
  const figures = new Map<Kind | 'installation', readonly Figure[]>();
  for (const kind of given.kinds) {
    const cleanUp = everything.use(new AsyncDisposableStack());
    const found = await measureOn(kind, given, generator, cleanUp);
    await cleanUp.disposeAsync();
    results.set(kind, found.results);
    figures.set(kind, found.figures);
    tell(`\n${titles[kind]}\n${shown(kind, found.results)}`);
    for (const remark of [...remarks(found.results), ...found.figures.map(said)]) tell(remark);
  }
  tell(`\n${legend}`);
  if (!given.isGuard) figures.set('installation', installation());
  for (const figure of figures.get('installation') ?? []) tell(said(figure));
  if (given.output !== undefined) {
    await save(given.output, { results, figures, generator: generator.name }, given);
    tell(`Written to ${given.output}.`);
  }
  return [...results].every(([kind, list]) => list.every((result) => isGood(kind, result, given)));
};

const profiled = async (given: Arguments, generator: Generator, tell: Tell): Promise<true> => {
  for (const kind of given.kinds) {
    for (const scenario of given.chosen) {
      for (const file of await profile(kind, scenario, { ...given, generator })) tell(file);
    }
  }
  return true;
};

/** How often a guard looks before it says that something has become slower, each time for longer. */
const tries = 3;

const isGood = (kind: Kind, { scenario, compared }: Result, { isGuard }: Arguments): boolean =>
  compared.portico.wrong + compared.against.wrong === 0 && (!isGuard || isKept(scenario, kind, compared));

const measureOn = async (
  kind: Kind,
  given: Arguments,
  generator: Generator,
  cleanUp: AsyncDisposableStack,
) => {
  const { products, isGuard, rounds, seconds, warmUp, soak } = given;
  const isFirst = kind === given.kinds[0];
  const chosen = given.chosen.filter(
    ({ isAside, against }) =>
      (!isGuard || !isAside || isFirst) && (kind !== 'memory' || against !== 'smaller'),
  );
  const hasSmaller = chosen.some(({ against }) => against === 'smaller');
  const databases = await prepare(kind, { products, hasSmaller }, cleanUp);
  // Twice as long as is measured: where others use the machine, one moment is not like another.
  const lasting = 2 * (warmUp + rounds * seconds);
  const stands = await openStands({ databases, chosen, seconds: lasting }, cleanUp);
  for (const stand of new Set(Object.values(stands))) await warm(stand, 2 * warmUp);
  const pace: Pace = { ...given, generator };
  const results: Result[] = [];
  for (const scenario of chosen) {
    let compared = await measure(scenario, stands, databases, pace);
    for (let nth = 2; isGuard && nth <= tries && !isKept(scenario, kind, compared); nth += 1) {
      compared = await measure(scenario, stands, databases, { ...pace, rounds: nth * rounds });
    }
    results.push({ scenario, compared });
  }
  const before = sumOf(results.map(({ compared }) => compared.portico.requests));
  const asking = { generator, before, requests: Math.max(0, soak - before) };
  return { results, figures: isGuard ? [] : await figuresOf(stands, databases, asking) };
};

const said = ({ name, seen, unit, limit }: Figure): string =>
  `${name}: ${seen.toFixed(0)} ${unit} of ${limit} at the most${seen < limit ? '' : ' !'}`;
