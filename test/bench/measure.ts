import { cpus } from 'node:os';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import type { Generator } from './generator.ts';
import { ownGenerator } from './own-generator.ts';
import { median, sumOf } from './statistics.ts';

/** Who is asked, and for what. */
export interface Side {
  readonly port: number;
  readonly id: number;
  readonly databaseId?: number;
  readonly requests: readonly string[];
  /** How many of them have been sent. */
  sent: number;
  /** Whether its answers are to be refusals. */
  readonly isRefused: boolean;
}

/** What one did for a while. */
interface Slice {
  readonly requests: number;
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
  /** How many answers were none, or others than they should have been. */
  readonly wrong: number;
}

/** What one did in several rounds. */
interface Measured {
  /** A second. */
  readonly rate: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the process for each request, in microseconds. */
  readonly cpu: number;
  readonly databaseCpu: number;
  /** How much of a core the process had, and whoever asked it. */
  readonly busy: number;
  readonly generatorBusy: number;
  /** How much of the whole machine was in use, whoever used it. */
  readonly machine: number;
  /** How many cores were in use for something else: the other servers idle meanwhile. */
  readonly others: number;
  readonly wrong: number;
  readonly requests: number;
}

/** Portico, and what it is held against in the same minute. */
export interface Compared {
  readonly portico: Measured;
  readonly against: Measured;
  /** Of the rates: the median over the rounds, each by itself, so that what the machine does besides falls out. */
  readonly ratio: number;
}

export interface Plan {
  readonly generator: Generator;
  readonly connections: number;
  /** Of each side before the first round, and in each. */
  readonly warmUp: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Lets both warm up, then asks them in turn, round for round, each of them first every other time. */
export const compare = async (portico: Side, against: Side, plan: Plan): Promise<Compared> => {
  const slices: { readonly portico: Slice; readonly against: Slice }[] = [];
  const warmUp = { ...plan, generator: ownGenerator, seconds: plan.warmUp };
  await sliceOf(portico, warmUp);
  await sliceOf(against, warmUp);
  for (let round = 0; round < plan.rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await sliceOf(portico, plan);
      slices.push({ portico: first, against: await sliceOf(against, plan) });
    } else {
      const first = await sliceOf(against, plan);
      slices.push({ portico: await sliceOf(portico, plan), against: first });
    }
  }
  return {
    portico: together(slices.map((slice) => slice.portico)),
    against: together(slices.map((slice) => slice.against)),
    ratio: median(slices.map((slice) => rateOf(slice.portico) / rateOf(slice.against))),
  };
};

const sliceOf = async (side: Side, { generator, connections, seconds }: Plan): Promise<Slice> => {
  const { port, requests, sent: from, databaseId, isRefused } = side;
  const ofDatabase = (): number => (databaseId === undefined ? 0 : cpuOfFamily(databaseId));
  const before = { cpu: cpuOf(side.id), databaseCpu: ofDatabase(), machine: machine() };
  const outcome = await generator.run({ port, requests, from, connections, seconds });
  const after = machine();
  // Those that were under way at the end have been sent too.
  side.sent += outcome.requests + connections;
  return {
    requests: outcome.requests,
    seconds: outcome.seconds,
    p50: outcome.p50,
    p99: outcome.p99,
    cpu: cpuOf(side.id) - before.cpu,
    databaseCpu: ofDatabase() - before.databaseCpu,
    generatorCpu: outcome.cpu,
    machine: (after.busy - before.machine.busy) / (after.all - before.machine.all),
    wrong: outcome.failed + (isRefused ? outcome.requests - outcome.refused : outcome.refused),
  };
};

/** In milliseconds since the machine was started, over all of its cores. */
const machine = (): { readonly busy: number; readonly all: number } => {
  const all = sumOf(cpus().map(({ times }) => sumOf(Object.values(times))));
  return { busy: all - sumOf(cpus().map(({ times }) => times.idle)), all };
};

const othersIn = ({ machine, seconds, cpu, databaseCpu, generatorCpu }: Slice): number =>
  Math.max(0, cpus().length * machine - (cpu + databaseCpu + generatorCpu) / seconds);

const rateOf = ({ requests, seconds }: Slice): number => requests / seconds;

const together = (slices: readonly Slice[]): Measured => {
  const total = (figure: keyof Slice): number => sumOf(slices.map((slice) => slice[figure]));
  const requests = total('requests');
  return {
    rate: median(slices.map(rateOf)),
    p50: median(slices.map(({ p50 }) => p50)),
    p99: median(slices.map(({ p99 }) => p99)),
    cpu: (1e6 * total('cpu')) / requests,
    databaseCpu: (1e6 * total('databaseCpu')) / requests,
    busy: total('cpu') / total('seconds'),
    generatorBusy: total('generatorCpu') / total('seconds'),
    machine: median(slices.map((slice) => slice.machine)),
    others: median(slices.map(othersIn)),
    wrong: total('wrong'),
    requests,
  };
};
