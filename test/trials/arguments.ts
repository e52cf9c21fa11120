import { parseArgs } from 'node:util';
import { trials } from './all.ts';
import type { Trial } from './trial.ts';

export interface Arguments {
  readonly chosen: readonly Trial[];
  readonly isShort: boolean;
}

const nameWidth = Math.max(...trials.map(({ name }) => name.length));

export const usage = `Usage: npm run trials -- [names] [--short]

Injects faults and overload as they occur in production, and reports what held. Without names, it runs all trials:

${trials.map(({ name, description }) => `  ${name.padEnd(nameWidth)}  ${description}`).join('\n')}

  --short         runs for seconds in place of minutes
  --help          shows this text

The exit code is 1 when an expectation is broken. TEST_POSTGRES_URL names a PostgreSQL server for the trials that do not need their own.
`;

/** @returns undefined for --help @throws Error with a message for the user of the command line */
export const readArguments = (given: readonly string[]): Arguments | undefined => {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return undefined;
  const named = positionals.map((name) => {
    const trial = trials.find((one) => one.name === name);
    if (trial === undefined) throw new Error(`There is no trial named ${name}.`);
    return trial;
  });
  return { chosen: named.length > 0 ? named : trials, isShort: values.short };
};
