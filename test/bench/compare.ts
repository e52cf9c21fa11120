import { cpus } from 'node:os';
import { cpuOf, cpuOfFamily } from '../lab/cpu.ts';
import { median, sumOf } from '../lab/statistics.ts';
import type { Generator } from './load/generator.ts';
import { ownGenerator } from './load/own-generator.ts';
import { runLoad } from './load/run-load.ts';

/** A server under load, with its requests. */
export interface Side {
  readonly port: number;
  readonly id: number;
  readonly databaseId?: number;
  readonly requests: readonly string[];
  /** Requests that half of the connections send meanwhile. */
  readonly beside?: readonly string[] | undefined;
  /** Requests sent so far. */
  sent: number;
  /** Whether each request works once only. */
  readonly isOnce?: boolean | undefined;
  /** Whether responses must have a status of 400 or above. */
  readonly expectsErrors: boolean;
}

/** One server in one round. */
interface RoundResult {
  readonly requests: number;
  readonly besideRequests: number;
  readonly seconds: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time in seconds. */
  readonly cpu: number;
  readonly databaseCpu: number;
  readonly generatorCpu: number;
  /** Of the whole machine, from 0 to 1. */
  readonly machine: number;
  /** Responses that failed or had an unexpected status. */
  readonly wrongResponses: number;
}

/** One server over all rounds. */
interface Measured {
  /** Requests a second. */
  readonly rate: number;
  /** Requests a second that half of the connections sent meanwhile. No other figure except CPU includes them. */
  readonly besideRate: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the process for each request, in microseconds. */
  readonly cpu: number;
  readonly databaseCpu: number;
  /** Cores used by the process, and by the load generator. */
  readonly busy: number;
  readonly generatorBusy: number;
  /** Use of the whole machine, from 0 to 1. */
  readonly machine: number;
  /** Cores used by other programs. The other servers of the run are idle meanwhile. */
  readonly others: number;
  readonly wrongResponses: number;
  readonly requests: number;
}

/** The subject (`portico`) and its baseline, measured in the same minute. */
export interface Comparison {
  readonly portico: Measured;
  readonly baseline: Measured;
  /** Median over the rounds of the ratio of rates, which cancels other load on the machine. */
  readonly ratio: number;
}

export interface ComparisonOptions {
  readonly generator: Generator;
  readonly connections: number;
  /** Seconds of load on each side before the first round, 0 for none; `seconds` is for each round. */
  readonly warmUp: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Warms both servers up, then runs the rounds. The two take turns in going first. */
export const compare = async (portico: Side, against: Side, plan: ComparisonOptions): Promise<Comparison> => {
  const slices: { readonly portico: RoundResult; readonly against: RoundResult }[] = [];
  const warmUp = { ...plan, generator: ownGenerator, seconds: plan.warmUp };
  for (const side of plan.warmUp > 0 ? [portico, against] : []) await runRound(side, warmUp);
  for (let round = 0; round < plan.rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await runRound(portico, plan);
      slices.push({ portico: first, against: await runRound(against, plan) });
    } else {
      const first = await runRound(against, plan);
      slices.push({ portico: await runRound(portico, plan), against: first });
    }
  }
  return {
    portico: summarize(slices.map((slice) => slice.portico)),
    baseline: summarize(slices.map((slice) => slice.against)),
    ratio: median(slices.map((slice) => rateOf(slice.portico) / rateOf(slice.against))),
  };
};

const runRound = async (
  side: Side,
  { generator, connections, seconds }: ComparisonOptions,
): Promise<RoundResult> => {
  const { port, requests, beside, sent: from, databaseId, expectsErrors, isOnce } = side;
  const ofDatabase = (): number => (databaseId === undefined ? 0 : cpuOfFamily(databaseId));
  const before = { cpu: cpuOf(side.id), databaseCpu: ofDatabase(), machine: machine() };
  const outcome = await runLoad(generator, { port, requests, beside, from, connections, seconds, isOnce });
  const after = machine();
  // Requests in flight at the end were sent as well.
  side.sent += outcome.requests + connections;
  return {
    requests: outcome.requests,
    besideRequests: outcome.besideRequests,
    seconds: outcome.seconds,
    p50: outcome.p50,
    p99: outcome.p99,
    cpu: cpuOf(side.id) - before.cpu,
    databaseCpu: ofDatabase() - before.databaseCpu,
    generatorCpu: outcome.cpu,
    machine: (after.busy - before.machine.busy) / (after.all - before.machine.all),
    wrongResponses:
      outcome.failed + (expectsErrors ? outcome.requests - outcome.errorResponses : outcome.errorResponses),
  };
};

/** Processor time since boot over all cores, in milliseconds. */
const machine = (): { readonly busy: number; readonly all: number } => {
  const all = sumOf(cpus().map(({ times }) => sumOf(Object.values(times))));
  return { busy: all - sumOf(cpus().map(({ times }) => times.idle)), all };
};

const othersIn = ({ machine, seconds, cpu, databaseCpu, generatorCpu }: RoundResult): number =>
  Math.max(0, cpus().length * machine - (cpu + databaseCpu + generatorCpu) / seconds);

const rateOf = ({ requests, seconds }: RoundResult): number => requests / seconds;

const summarize = (slices: readonly RoundResult[]): Measured => {
  const total = (figure: keyof RoundResult): number => sumOf(slices.map((slice) => slice[figure]));
  const requests = total('requests');
  const all = requests + total('besideRequests');
  return {
    rate: median(slices.map(rateOf)),
    besideRate: total('besideRequests') / total('seconds'),
    p50: median(slices.map(({ p50 }) => p50)),
    p99: median(slices.map(({ p99 }) => p99)),
    cpu: (1e6 * total('cpu')) / all,
    databaseCpu: (1e6 * total('databaseCpu')) / all,
    busy: total('cpu') / total('seconds'),
    generatorBusy: total('generatorCpu') / total('seconds'),
    machine: median(slices.map((slice) => slice.machine)),
    others: median(slices.map(othersIn)),
    wrongResponses: total('wrongResponses'),
    requests,
  };
};
