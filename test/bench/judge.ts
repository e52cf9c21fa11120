import type { Kind } from './databases.ts';
import type { Compared } from './measure.ts';
import type { Scenario } from './scenarios.ts';

/** How many times as long as the yardstick's slowest answers Portico's may take: of a hundred, the one before the last. */
const mostP99 = 3;

/** What was to be reached, and whether it was. */
export interface Judged {
  readonly goal: number | undefined;
  readonly isReached: boolean;
  /** Portico's by the other's. */
  readonly p99: number;
  /** Whether it is within the limit; where there is one connection or one server only, there is none. */
  readonly isSteady: boolean;
}

/** What part of a goal will do for a guard: so short a run is no measure. */
const margin = 0.85;

/** Whether it is as fast as it has to remain. */
export const isKept = ({ goal }: Scenario, kind: Kind, { ratio }: Compared): boolean =>
  ratio >= margin * (goal?.[kind] ?? 0);

export const judge = (
  { goal: goals, against, connections }: Scenario,
  kind: Kind,
  { portico, against: other, ratio }: Compared,
): Judged => {
  const goal = goals?.[kind];
  const p99 = portico.p99 / other.p99;
  const isCompared = against === 'yardstick' && connections === undefined;
  return {
    goal,
    isReached: goal === undefined || ratio >= goal,
    p99,
    isSteady: !isCompared || p99 <= mostP99,
  };
};
