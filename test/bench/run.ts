import type { Arguments } from './arguments.ts';
import { type Figure, figuresOf, installation, isWithinLimit } from './figures.ts';
import type { Generator } from './load/generator.ts';
import { ownGenerator } from './load/own-generator.ts';
import { findWrk } from './load/wrk.ts';
import { measure, type Pace, warm } from './measure-scenario.ts';
import { profile } from './profile.ts';
import { isFigureKept, isKept, isLikeMeasured, type Result } from './report/judge.ts';
import { save } from './report/save.ts';
import {
  legend,
  missedByGuard,
  remarks,
  responseTable,
  resultTable,
  titles,
  wrongResponses,
} from './report/show.ts';
import { sumOf } from './report/statistics.ts';
import { type Kind, prepareDatabases } from './servers/databases.ts';
import { startTargets } from './servers/stands.ts';

type Print = (text: string) => void;

/**
 * @returns true if every scenario had responses, all of them as expected and, for the guard, all floors and limits were kept
 */
export const run = async (
  given: Arguments,
  cleanUp: AsyncDisposableStack,
  print: Print,
): Promise<boolean> => {
  // wrk measures whole seconds.
  const generator = (!given.isCheck && (await findWrk())) || ownGenerator;
  print(`${given.products} products, ${given.connections} connections, load by ${generator.name}`);
  if (given.isProfile) return writeProfiles(given, generator, print);
  const results = new Map<Kind, readonly Result[]>();
  const figures = new Map<Kind | 'installation', readonly Figure[]>();
  const missed: string[] = [];
  let areKept = true;
  for (const kind of given.kinds) {
    const ownCleanUp = cleanUp.use(new AsyncDisposableStack());
    const measured = await measureOn(kind, given, generator, ownCleanUp);
    await ownCleanUp.disposeAsync();
    results.set(kind, measured.results);
    figures.set(kind, measured.figures);
    missed.push(...measured.missed);
    areKept &&= measured.areKept;
    print(`\n${titles[kind]}\n${(given.isCheck ? responseTable : resultTable)(kind, measured.results)}`);
    if (given.isCheck) for (const text of wrongResponses(measured.results)) print(text);
    else for (const text of [...remarks(measured.results), ...measured.figures.map(figureText)]) print(text);
  }
  if (given.isCheck) return [...results.values()].flat().every(isAsExpected);
  print(`\n${legend}`);
  if (!given.isGuard) figures.set('installation', installation());
  for (const figure of figures.get('installation') ?? []) print(figureText(figure));
  if (given.output !== undefined) {
    await save(given.output, { results, figures, generator: generator.name }, given);
    print(`Written to ${given.output}.`);
  }
  // Last, where a log that is cut short still shows it.
  for (const text of missed) print(text);
  return [...results.values()].flat().every(isAsExpected) && areKept && missed.length === 0;
};

const writeProfiles = async (given: Arguments, generator: Generator, print: Print): Promise<true> => {
  for (const kind of given.kinds) {
    for (const scenario of given.chosen) {
      for (const file of await profile(kind, scenario, { ...given, generator })) print(file);
    }
  }
  return true;
};

/** Tries of the guard before a floor counts as missed. Each try has more rounds than the one before. */
const maxTries = 3;

const isAsExpected = ({ compared: { portico, baseline } }: Result): boolean =>
  portico.wrongResponses + baseline.wrongResponses === 0 && portico.requests > 0 && baseline.requests > 0;

/** In seconds. In its first three seconds under load a process has three times its later p99, while V8 optimizes it. */
const firstWarmUp = 4;

const measureOn = async (
  kind: Kind,
  given: Arguments,
  generator: Generator,
  cleanUp: AsyncDisposableStack,
) => {
  const { products, isCheck, isGuard, rounds, seconds, warmUp, soak } = given;
  const isFirst = kind === given.kinds[0];
  const chosen = given.chosen.filter(
    ({ isDatabaseIndependent, baseline }) =>
      (!isGuard || !isDatabaseIndependent || isFirst) && (kind !== 'memory' || baseline !== 'smaller'),
  );
  const hasSmaller = chosen.some(({ baseline }) => baseline === 'smaller');
  const databases = await prepareDatabases(kind, { products, hasSmaller }, cleanUp);
  // Requests that work once (payments) must last twice as long as is measured, because rates vary.
  const lasting = 2 * (warmUp + rounds * seconds);
  const targets = await startTargets({ databases, chosen, seconds: lasting }, cleanUp);
  for (const target of isCheck ? [] : new Set(Object.values(targets))) await warm(target, firstWarmUp);
  const pace: Pace = { ...given, generator };
  const results: Result[] = [];
  for (const scenario of chosen) {
    results.push({ scenario, compared: await measure(scenario, targets, databases, pace) });
  }
  const isLike = isLikeMeasured(kind, results);
  for (let nth = 2; isGuard && nth <= maxTries; nth += 1) {
    for (const [place, { scenario, compared }] of results.entries()) {
      if (isKept(scenario, kind, compared, isLike)) continue;
      const again = await measure(scenario, targets, databases, { ...pace, rounds: nth * rounds });
      results[place] = { scenario, compared: again };
    }
  }
  const before = sumOf(results.map(({ compared }) => compared.portico.requests));
  const options = {
    generator,
    before,
    requests: Math.max(0, soak - before),
    starts: isCheck ? 1 : isGuard ? 3 : 7,
  };
  const areAllKept = (figures: readonly Figure[]): boolean =>
    figures.every((figure) => isFigureKept(figure, isLike));
  let figures = await figuresOf(targets, databases, options);
  for (let nth = 2; isGuard && nth <= maxTries && !areAllKept(figures); nth += 1) {
    figures = await figuresOf(targets, databases, options);
  }
  return {
    results,
    figures,
    missed: isGuard ? missedByGuard(kind, results, isLike) : [],
    areKept: !isGuard || areAllKept(figures),
  };
};

const figureText = (figure: Figure): string => {
  const { name, seen, unit, limit } = figure;
  return `${name}: ${seen.toFixed(0)} ${unit}, limit ${limit}${isWithinLimit(figure) ? '' : ' !'}`;
};
