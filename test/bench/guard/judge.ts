import { median } from '../../lab/statistics.ts';

/** The processor time of the same requests at the earlier commit and now, in microseconds each. */
export interface Round {
  readonly before: number;
  readonly now: number;
}

/** How many times the processor time of before is accepted. Equal code differs by some percent from run to run. */
export const maxRatio = 1.1;

/** The median over the rounds cancels what other programs add to some of them. */
export const ratioOf = (rounds: readonly Round[]): number =>
  median(rounds.map(({ before, now }) => now / before));

/** One line for the terminal. It begins with SLOWER where the guard fails. */
export const lineOf = (name: string, rounds: readonly Round[]): string => {
  const ratio = ratioOf(rounds);
  const [before, now] = (['before', 'now'] as const).map((side) =>
    median(rounds.map((round) => round[side])),
  );
  const verdict = ratio > maxRatio ? 'SLOWER' : 'ok    ';
  return `${verdict}  ${name}: ${now?.toFixed(0)} µs of processor time, ${before?.toFixed(0)} before (${ratio.toFixed(2)})`;
};
