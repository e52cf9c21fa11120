import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Comparison } from '../compare.ts';
import { type Figure, isWithinLimit } from '../figures.ts';
import type { Scenario } from '../scenarios.ts';
import type { Kind } from '../servers/databases.ts';

/** How many times the yardstick's p99 Portico's p99 may be. */
const maxP99Ratio = 3;

/** One scenario, compared on one database. */
export interface Result {
  readonly scenario: Scenario;
  readonly compared: Comparison;
}

/** A comparison held against its floors. */
export interface Verdict {
  readonly floor: number | undefined;
  readonly isRatioKept: boolean;
  readonly p99Ratio: number;
  /** Always true where there is no limit. */
  readonly isP99Kept: boolean;
}

export const judge = (scenario: Scenario, kind: Kind, { portico, baseline, ratio }: Comparison): Verdict => {
  const floor = scenario.floor?.[kind];
  const p99Ratio = portico.p99 / baseline.p99;
  return {
    floor,
    isRatioKept: floor === undefined || ratio >= floor,
    p99Ratio,
    isP99Kept: !hasP99Limit(scenario) || p99Ratio <= maxP99Ratio,
  };
};

/** With one connection, and where Portico is its own baseline, there is no limit. */
const hasP99Limit = ({ baseline, connections }: Scenario): boolean =>
  baseline === 'yardstick' && connections === undefined;

/** Cores used by other programs from which on a machine counts as busy. */
export const busyCores = 0.3;

/** The processors on which the floors were measured. */
const measuredOn = /EPYC/;

/** The rate of the same server, as a part of that on the machine of the floors, below which this machine is another one. */
const slowBelow = 0.7;

interface Recorded {
  readonly scenarios: Partial<
    Record<Kind, readonly { readonly id: string; readonly baseline: { readonly rate: number } }[]>
  >;
}

/** What was measured on the machine of the floors. */
const recorded = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../docs/benchmarks/results.json', import.meta.url)), 'utf8'),
) as Recorded;

/**
 * Whether this machine is like that of the floors: of its kind of processor, and about as fast for the baseline in most of the
 * scenarios. A processor that others use too does less under the same name, and with other ratios. One scenario alone does not
 * tell: with one connection the baseline mostly waits, and has nearly the same rate on a slow machine.
 * @param processor the model of this machine's
 */
export const isLikeMeasured = (
  kind: Kind,
  results: readonly Result[],
  processor: string = cpus()[0]?.model ?? '',
): boolean => {
  const fast = results.filter(({ scenario, compared: { baseline } }) => {
    const before = recorded.scenarios[kind]?.find(({ id }) => id === scenario.id)?.baseline.rate ?? 0;
    return baseline.rate >= slowBelow * before;
  });
  return measuredOn.test(processor) && fast.length > results.length / 2;
};

/**
 * The part of a floor below which the guard fails. So short a run varies on a quiet machine too; on a busy one it fails only
 * what is far off. On another machine than that of the floors the same code has other ratios. The p99 may exceed its limit by the
 * same factor, in the calmest round of each server: a program or a host that stalls a round can only add to its p99.
 */
const margins = { quiet: 0.85, busy: 0.8, otherMachine: 0.5 };

/** What the guard compares, and its limits on this machine; undefined where there is no limit. */
export interface GuardVerdict {
  readonly ratio: number;
  readonly leastRatio: number | undefined;
  /** Of the calmest rounds. */
  readonly p99Ratio: number;
  readonly mostP99Ratio: number | undefined;
}

/** @param isLike whether the machine is like that of the floors */
export const judgeForGuard = (
  scenario: Scenario,
  kind: Kind,
  compared: Comparison,
  isLike: boolean,
): GuardVerdict => {
  const { portico, baseline, ratio } = compared;
  const isBusy = Math.max(portico.others, baseline.others) > busyCores;
  const margin = margins[!isLike ? 'otherMachine' : isBusy ? 'busy' : 'quiet'];
  const floor = scenario.floor?.[kind];
  return {
    ratio,
    leastRatio: floor && floor * margin,
    p99Ratio: portico.leastP99 / baseline.leastP99,
    mostP99Ratio: hasP99Limit(scenario) ? maxP99Ratio / margin : undefined,
  };
};

/** Whether the guard accepts a comparison: its ratio and its p99 keep their floors. */
export const isKept = (...given: Parameters<typeof judgeForGuard>): boolean => {
  const { ratio, leastRatio = 0, p99Ratio, mostP99Ratio = Infinity } = judgeForGuard(...given);
  return ratio >= leastRatio && p99Ratio <= mostP99Ratio;
};

/** How far a time may exceed its limit on another machine than that on which the limit was measured. */
const otherMachineTime = 2;

/**
 * Whether the guard accepts a figure. Memory keeps its limit everywhere.
 * @param isLike whether the machine is like that of the limits
 */
export const isFigureKept = (figure: Figure, isLike: boolean): boolean => {
  const isLonger = figure.unit === 'ms' && !isLike;
  return isWithinLimit(isLonger ? { ...figure, limit: figure.limit * otherMachineTime } : figure);
};
