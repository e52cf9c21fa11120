import { root } from '../lab/program.ts';
import { sumOf } from '../lab/statistics.ts';
import type { Arguments } from './arguments.ts';
import { type Figure, figuresOf, installation, isWithinLimit } from './figures.ts';
import { extractCommit } from './guard/earlier-commit.ts';
import { guard } from './guard/guard.ts';
import type { Generator } from './load/generator.ts';
import { ownGenerator } from './load/own-generator.ts';
import { findWrk } from './load/wrk.ts';
import { measure, type Pace, warm } from './measure-scenario.ts';
import { profile } from './profile.ts';
import type { Result } from './report/judge.ts';
import { save } from './report/save.ts';
import { legend, remarks, responseTable, resultTable, titles, wrongResponses } from './report/show.ts';
import { isGuarded } from './scenarios.ts';
import { type Kind, prepareDatabases } from './servers/databases.ts';
import { startTargets } from './servers/stands.ts';

type Print = (text: string) => void;

/** @returns true if every scenario had responses, all of them as expected; for the guard, if nothing has become slower */
export const run = async (
  given: Arguments,
  cleanUp: AsyncDisposableStack,
  print: Print,
): Promise<boolean> => {
  // wrk measures whole seconds.
  const generator = (!given.isCheck && (await findWrk())) || ownGenerator;
  print(`${given.products} products, ${given.connections} connections, load by ${generator.name}`);
  if (given.isProfile) return writeProfiles(given, generator, print);
  if (given.isGuard) return runGuard(given, cleanUp, print);
  const results = new Map<Kind, readonly Result[]>();
  const figures = new Map<Kind | 'installation', readonly Figure[]>();
  for (const kind of given.kinds) {
    const ownCleanUp = cleanUp.use(new AsyncDisposableStack());
    const measured = await measureOn(kind, given, generator, ownCleanUp);
    await ownCleanUp.disposeAsync();
    results.set(kind, measured.results);
    figures.set(kind, measured.figures);
    print(`\n${titles[kind]}\n${(given.isCheck ? responseTable : resultTable)(kind, measured.results)}`);
    if (given.isCheck) for (const text of wrongResponses(measured.results)) print(text);
    else for (const text of [...remarks(measured.results), ...measured.figures.map(figureText)]) print(text);
  }
  if (given.isCheck) {
    return [...results.values()].flat().every(isAsExpected) && runGuard(given, cleanUp, print);
  }
  print(`\n${legend}`);
  figures.set('installation', installation());
  for (const figure of figures.get('installation') ?? []) print(figureText(figure));
  if (given.output !== undefined) {
    await save(given.output, { results, figures, generator: generator.name }, given);
    print(`Written to ${given.output}.`);
  }
  return [...results.values()].flat().every(isAsExpected);
};

const writeProfiles = async (given: Arguments, generator: Generator, print: Print): Promise<true> => {
  for (const kind of given.kinds) {
    for (const scenario of given.chosen) {
      for (const file of await profile(kind, scenario, { ...given, generator })) print(file);
    }
  }
  return true;
};

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
  const { products, isCheck, rounds, seconds, warmUp, soak } = given;
  const chosen = given.chosen.filter(({ baseline }) => kind !== 'memory' || baseline !== 'smaller');
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
  const before = sumOf(results.map(({ compared }) => compared.portico.requests));
  const requests = Math.max(0, soak - before);
  const figures = await figuresOf(targets, databases, {
    generator,
    before,
    requests,
    starts: isCheck ? 1 : 7,
  });
  return { results, figures };
};

/** Compares with an earlier commit; in a check with this one, a little of everything, and judges nothing. */
const runGuard = async (given: Arguments, cleanUp: AsyncDisposableStack, print: Print): Promise<boolean> => {
  const { isCheck, products, rounds } = given;
  const { folder: earlier, commit } = isCheck
    ? { folder: root, commit: 'itself' }
    : await extractCommit(given.against, cleanUp);
  print(`\nProcessor time of a request, compared with ${commit}:`);
  let isKept = true;
  for (const kind of given.kinds.filter((each) => each !== 'memory')) {
    const scenarios = given.chosen.filter(isGuarded);
    const part = isCheck ? 0.02 : 1;
    const ownCleanUp = cleanUp.use(new AsyncDisposableStack());
    const isKeptHere = await guard({ kind, scenarios, products, rounds, part, earlier, print }, ownCleanUp);
    await ownCleanUp.disposeAsync();
    isKept &&= isKeptHere;
  }
  return isKept;
};

const figureText = (figure: Figure): string => {
  const { name, seen, unit, limit } = figure;
  return `${name}: ${seen.toFixed(0)} ${unit}, limit ${limit}${isWithinLimit(figure) ? '' : ' !'}`;
};
