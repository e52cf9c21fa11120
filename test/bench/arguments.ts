import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Kind } from './databases.ts';
import { million } from './figures.ts';
import { type Scenario, scenarios } from './scenarios.ts';

export interface Arguments {
  readonly chosen: readonly Scenario[];
  readonly kinds: readonly Kind[];
  readonly products: number;
  readonly connections: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Whether it is to fail where Portico has become slower than it may be. */
  readonly isGuard: boolean;
  /** Whether nothing is to be compared, and what Portico spends its time on is to be found out. */
  readonly isProfile: boolean;
  /** After how many requests the memory is looked at. */
  readonly soak: number;
  /** The folder for what is to be kept. */
  readonly output: string | undefined;
}

const longest = Math.max(...scenarios.map(({ id }) => id.length));

export const usage = `Usage: npm run bench -- [scenarios] [options]

Measures Portico, as npm start has it, and beside it, in turn, a server written by hand on node:http and the same driver
with prepared statements (test/bench/yardstick). Without a name, every scenario:

${scenarios.map(({ id, name }) => `  ${id.padEnd(longest)}  ${name}`).join('\n')}

  --database sqlite|postgres|memory
                                one of them; otherwise the first two
  --quick                       a look: fewer and shorter rounds
  --guard                       a shorter look at what has a goal, with 20000 products; it ends with 1 when Portico does not
                                reach 0.85 of one in three tries, or of what it has reached so far where that is less
  --profile                     no comparison, but a .cpuprofile and a flame graph for each scenario, in data/profiles
  --output FOLDER               where results.json and results.svg go: docs/benchmarks for a whole run, else nowhere
  --rounds N --seconds N        how often and how long each is asked (9 and 2)
  --connections N               how many ask at once (32)
  --products N                  how many there are (100000)
  --help                        shows this

A ratio is how many requests Portico answers for each that the yardstick does; 1 is as many, more is better. CPU is the
time of the process for each request, in microseconds: on a machine with other work it says more than the rate does.
`;

/** @returns undefined when help is asked for. @throws Error, with a sentence for whoever typed them */
export const readArguments = (given: readonly string[]): Arguments | undefined => {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      quick: { type: 'boolean', default: false },
      guard: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      output: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      products: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const named = positionals.map((id) => {
    const scenario = scenarios.find((one) => one.id === id);
    if (scenario === undefined) throw new Error(`There is no scenario named ${id}.`);
    return scenario;
  });
  const { guard: isGuard, quick, profile: isProfile } = values;
  const isWhole = !isGuard && !quick && !isProfile && named.length === 0 && values.database === undefined;
  const pace = isGuard ? paces.guard : quick ? paces.quick : paces.whole;
  const all = scenarios.filter(isGuard ? isGuarded : () => true);
  return {
    chosen: named.length > 0 ? named : all,
    kinds: kindsIn(values.database),
    products: count('products', values.products, pace.products),
    connections: count('connections', values.connections, 32),
    warmUp: pace.warmUp,
    rounds: count('rounds', values.rounds, pace.rounds),
    seconds: count('seconds', values.seconds, pace.seconds),
    isGuard,
    isProfile,
    soak: isWhole ? million : 0,
    output:
      values.output ??
      (isWhole ? fileURLToPath(new URL('../../docs/benchmarks', import.meta.url)) : undefined),
  };
};

/** How long each is asked, in seconds. */
const paces = {
  whole: { products: 100_000, warmUp: 2, rounds: 9, seconds: 2 },
  quick: { products: 100_000, warmUp: 1, rounds: 3, seconds: 1 },
  guard: { products: 20_000, warmUp: 1, rounds: 2, seconds: 1 },
};

/** One connection and other sizes take longer than a guard has. */
const isGuarded = ({ goal, connections, against }: Scenario): boolean =>
  goal !== undefined && connections === undefined && against !== 'smaller';

const kindsIn = (given: string | undefined): readonly Kind[] => {
  if (given === undefined) return ['sqlite', 'postgres'];
  if (given === 'sqlite' || given === 'postgres' || given === 'memory') return [given];
  throw new Error('--database takes sqlite, postgres or memory.');
};

const count = (name: string, given: string | undefined, otherwise: number): number => {
  if (given === undefined) return otherwise;
  const number = Number(given);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${name} takes a whole number from 1.`);
};
