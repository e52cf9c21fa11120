import { parseArgs } from 'node:util';
import { chosenFrom, listed, wholeNumber } from '../lab/command-line.ts';
import { trials } from './all.ts';
import type { Conditions, Trial } from './trial.ts';

export interface Arguments extends Pick<Conditions, 'isShort' | 'seconds' | 'rate' | 'kind'> {
  readonly chosen: readonly Trial[];
  /** Whether what looks at the clock is judged, and not only shown. */
  readonly judgesTime: boolean;
}

export const usage = `Usage: npm run trials -- [names] [--short]

Injects faults and overload as they occur in production, and reports what held. Without names, it runs all trials:

${listed(trials.map(({ name, description }) => [name, description]))}

  --short             runs for seconds in place of minutes, and only shows what looks at the clock
  --timed             judges that in the short form, too: the machine must do nothing else
  --seconds COUNT     how long webhook-soak orders (3600)
  --rate COUNT        how many orders a second webhook-soak makes (500)
  --database KIND     the database of webhook-soak: postgres (default) or sqlite
  --help              shows this text

The exit code is 1 when an expectation is broken. TEST_POSTGRES_URL names a PostgreSQL server for the trials that do not need their own.
`;

/** @returns undefined for --help @throws Error with a message for the user of the command line */
export const readArguments = (given: readonly string[]): Arguments | undefined => {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      timed: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rate: { type: 'string' },
      database: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { short: isShort, seconds, rate, database: kind } = values;
  if (kind !== undefined && kind !== 'postgres' && kind !== 'sqlite')
    throw new Error(`--database must be postgres or sqlite, not ${kind}.`);
  return {
    ...{
      chosen: chosenFrom('trial', trials, positionals, ({ name }) => name),
      isShort,
      judgesTime: !isShort || values.timed,
    },
    ...(seconds !== undefined && { seconds: count('--seconds', seconds) }),
    ...(rate !== undefined && { rate: count('--rate', rate) }),
    ...(kind !== undefined && { kind }),
  };
};

const count = (option: string, text: string): number => wholeNumber(option, text, { least: 1 });
