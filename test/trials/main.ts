// Injects faults and overload as they occur in production, and reports what held: `npm run trials -- --help`.
import { print, type Running, runCommand } from '../lab/command-line.ts';
import { inSeconds, progressLine, resultLine } from '../lab/report.ts';
import { type Arguments, readArguments, usage } from './arguments.ts';
import { type Finding, isJudged, type Trial } from './trial.ts';

/** @returns whether all that is judged held. A trial without such a finding has proved nothing. */
const holds = async (
  trial: Trial,
  { judgesTime, ...options }: Omit<Arguments, 'chosen'>,
  all: AsyncDisposableStack,
): Promise<boolean> => {
  const begun = performance.now();
  print(`\n${trial.name}: ${trial.description}`);
  const cleanUp = all.use(new AsyncDisposableStack());
  const findings = await trial.run({ ...options, log: (text) => print(progressLine(text)), cleanUp });
  await cleanUp.disposeAsync();
  const judged = findings.filter((finding) => isJudged(finding, judgesTime));
  for (const finding of findings) print(line(finding, judged.includes(finding)));
  print(progressLine(`in ${inSeconds(performance.now() - begun)}`));
  return judged.length > 0 && judged.every(({ held }) => held);
};

const line = ({ held, expected, seen }: Finding, wasJudged: boolean): string =>
  resultLine(held ? 'held' : wasJudged ? 'BROKEN' : 'late', expected, seen);

const run = async ({ chosen, ...options }: Arguments, { cleanUp }: Running): Promise<boolean> => {
  let allHold = true;
  for (const trial of chosen) if (!(await holds(trial, options, cleanUp))) allHold = false;
  return allHold;
};

await runCommand({ name: 'trials', usage, read: readArguments, run });
