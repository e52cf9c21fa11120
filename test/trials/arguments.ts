import { parseArgs } from 'node:util';
import { trials } from './all.ts';
import type { Trial } from './trial.ts';

export interface Arguments {
  readonly chosen: readonly Trial[];
  readonly isShort: boolean;
}

const longest = Math.max(...trials.map(({ name }) => name.length));

export const usage = `Usage: npm run trials -- [names] [--short]

Brings about what goes wrong in production, and says what came of it. Without a name, everything:

${trials.map(({ name, says }) => `  ${name.padEnd(longest)}  ${says}`).join('\n')}

  --short         seconds in place of minutes
  --help          shows this

It ends with 1 when anything was not as expected. TEST_POSTGRES_URL names a PostgreSQL to use where one of their own is not needed.
`;

/** @returns undefined when help is asked for. @throws Error, with a sentence for whoever typed them */
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
