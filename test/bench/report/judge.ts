import { cpus } from 'node:os';
import type { Comparison } from '../compare.ts';
import type { Scenario } from '../scenarios.ts';
import type { Kind } from '../servers/databases.ts';

/** How many times the yardstick's p99 Portico's p99 may be. */
const maxP99Ratio = 3;

/** A comparison held against its floors. */
export interface Verdict {
  readonly floor: number | undefined;
  readonly isRatioKept: boolean;
  readonly p99Ratio: number;
  /** Always true with one connection, or where Portico is its own baseline: there is no limit then. */
  readonly isP99Kept: boolean;
}

export const judge = (
  { floor: floors, baseline, connections }: Scenario,
  kind: Kind,
  { portico, baseline: other, ratio }: Comparison,
): Verdict => {
  const floor = floors?.[kind];
  const p99Ratio = portico.p99 / other.p99;
  const hasP99Limit = baseline === 'yardstick' && connections === undefined;
  return {
    floor,
    isRatioKept: floor === undefined || ratio >= floor,
    p99Ratio,
    isP99Kept: !hasP99Limit || p99Ratio <= maxP99Ratio,
  };
};

/** Cores used by other programs from which on a machine counts as busy. */
export const busyCores = 0.3;

/** The processors on which the floors were measured. */
const measuredOn = /EPYC/;

/**
 * The part of a floor below which the guard fails. So short a run varies on a quiet machine too; on a busy one it fails only
 * what is far off. On other processors than those of the floors the same code has other ratios. The p99 may exceed its limit by the
 * same factor.
 */
const margins = { quiet: 0.85, busy: 0.8, otherProcessor: 0.5 };

/**
 * Whether the guard accepts a comparison: its ratio and its p99 keep their floors.
 * @param processor the model of this machine's
 */
export const isKept = (
  scenario: Scenario,
  kind: Kind,
  comparison: Comparison,
  processor: string = cpus()[0]?.model ?? '',
): boolean => {
  const isBusy = Math.max(comparison.portico.others, comparison.baseline.others) > busyCores;
  const margin = margins[!measuredOn.test(processor) ? 'otherProcessor' : isBusy ? 'busy' : 'quiet'];
  const { isRatioKept, isP99Kept } = judge(scenario, kind, {
    ...comparison,
    ratio: comparison.ratio / margin,
    portico: { ...comparison.portico, p99: comparison.portico.p99 * margin },
  });
  return isRatioKept && isP99Kept;
};
