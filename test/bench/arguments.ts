import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { alternatives } from '#bootstrap/config/store-kinds.ts';
import { chosenFrom, listed, wholeNumber } from '../lab/command-line.ts';
import { soakRequests } from './figures.ts';
import { isGuarded, type Scenario, scenarios } from './scenarios.ts';
import { type Kind, kinds } from './servers/databases.ts';

export interface Arguments {
  readonly chosen: readonly Scenario[];
  readonly kinds: readonly Kind[];
  readonly products: number;
  readonly connections: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Only require right responses of each scenario, at whatever rate. */
  readonly isCheck: boolean;
  /** Compare the processor time of requests with that of an earlier commit. */
  readonly isGuard: boolean;
  /** That commit; undefined for the one at which docs/benchmarks was measured. */
  readonly against: string | undefined;
  /** Profile Portico instead of comparing it. */
  readonly isProfile: boolean;
  /** Requests before memory is read. */
  readonly soak: number;
  /** Folder for results.json and results.svg. */
  readonly output: string | undefined;
}

export const usage = `Usage: npm run bench -- [scenarios] [options]

Measures Portico, as npm start runs it, in turn with a server written by hand on node:http and the same driver with
prepared statements (test/bench/yardstick). Without a name, every scenario:

${listed(scenarios.map(({ id, name }) => [id, name]))}

  --database ${kinds.join('|')}
                                one database (default: sqlite and postgres)
  --check                       half a second of each scenario on each server and every kind of database, with 2000 products: exits
                                with 1 when a response is wrong or none arrives, and judges no rate
  --quick                       fewer and shorter rounds
  --guard                       compare the processor time of a fixed number of requests, and of a start, with those of an earlier
                                commit, in alternating rounds, with 20000 products; exits with 1 when one takes a tenth more
  --against COMMIT              that commit (default: the one at which docs/benchmarks/results.json was measured)
  --profile                     write a .cpuprofile and a flame graph for each scenario to data/profiles
  --output FOLDER               write results.json and results.svg (default for a whole run: docs/benchmarks)
  --rounds N --seconds N        number of rounds, and their length (9 and 2)
  --connections N               connections (32)
  --products N                  products (100000)
  --help                        show this text

The ratio is requests of Portico for each of the yardstick's: more is better. CPU is time of the process for each request, in
microseconds; on a shared machine it is more reliable than the rate.
`;

/** @returns undefined for --help. @throws Error with a message for the terminal */
export const readArguments = (given: readonly string[]): Arguments | undefined => {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      guard: { type: 'boolean', default: false },
      against: { type: 'string' },
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
  const { check: isCheck, guard: isGuard, quick, profile: isProfile } = values;
  const isWhole =
    !isCheck && !isGuard && !quick && !isProfile && positionals.length === 0 && values.database === undefined;
  const pace = isCheck ? paces.check : isGuard ? paces.guard : quick ? paces.quick : paces.whole;
  return {
    chosen:
      isGuard && positionals.length === 0
        ? scenarios.filter(isGuarded)
        : chosenFrom('scenario', scenarios, positionals, ({ id }) => id),
    kinds: values.database === undefined && isCheck ? kinds : kindsIn(values.database),
    products: count('products', values.products, pace.products),
    connections: count('connections', values.connections, 32),
    warmUp: pace.warmUp,
    rounds: count('rounds', values.rounds, pace.rounds),
    seconds: count('seconds', values.seconds, pace.seconds),
    isCheck,
    isGuard,
    against: values.against,
    isProfile,
    soak: isWhole ? soakRequests : 0,
    output:
      values.output ??
      (isWhole ? fileURLToPath(new URL('../../docs/benchmarks', import.meta.url)) : undefined),
  };
};

/** Durations in seconds. */
const paces = {
  // Fewer have no cursors in the first tenth of their pages.
  check: { products: 2_000, warmUp: 0, rounds: 1, seconds: 0.5 },
  whole: { products: 100_000, warmUp: 2, rounds: 9, seconds: 2 },
  quick: { products: 100_000, warmUp: 1, rounds: 3, seconds: 1 },
  guard: { products: 20_000, warmUp: 2, rounds: 9, seconds: 1 },
};

const kindsIn = (given: string | undefined): readonly Kind[] => {
  if (given === undefined) return ['sqlite', 'postgres'];
  const found = kinds.find((kind) => kind === given);
  if (found === undefined) throw new Error(`--database must be ${alternatives(kinds)}.`);
  return [found];
};

const count = (name: string, given: string | undefined, otherwise: number): number => {
  return given === undefined ? otherwise : wholeNumber(`--${name}`, given, { least: 1 });
};
