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

/** @param margin what part of a goal will do */
export const judge = (
  { goal: goals, against, connections }: Scenario,
  kind: Kind,
  { portico, against: other, ratio }: Compared,
  margin = 1,
): Judged => {
  const goal = goals?.[kind];
  const p99 = portico.p99 / other.p99;
  const isCompared = against === 'yardstick' && connections === undefined;
  return {
    goal,
    isReached: goal === undefined || ratio >= margin * goal,
    p99,
    isSteady: !isCompared || p99 <= mostP99,
  };
};
