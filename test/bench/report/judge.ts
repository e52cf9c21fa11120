import type { Comparison } from '../compare.ts';
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
