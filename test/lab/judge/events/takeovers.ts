import { type Violation, violation } from '../../violations.ts';
import type { Acquisition, EndpointsJudge, ReceiversEvidence, ReceiversJudge } from './evidence.ts';

/** How long after the last kill an endpoint whose receiver works may lag, in milliseconds. */
export const lagLimitMs = 60_000;

/** Within which another process delivers after a kill, in milliseconds in which at least one server serves. */
const takeoverLimitMs = 20_000;

/** The end of a process that was to deliver, and when another one did. */
export interface Takeover {
  readonly process: string;
  /** How long a server has served until then, or until the end. */
  readonly afterMs: number;
  /** Whether another one has delivered at all. */
  readonly isTaken: boolean;
}

/** Without the names of processes there is one server: the one that ran then. */
const processOf = ({ process, at }: Acquisition, lives: ReceiversEvidence['lives']): string | null =>
  process ?? lives.find(({ from, to = Number.POSITIVE_INFINITY }) => from <= at && at <= to)?.process ?? null;

/** How long at least one server has served. */
const servedBetween = (from: number, to: number, lives: ReceiversEvidence['lives']): number => {
  const begun = lives.filter(({ servingFrom }) => servingFrom !== undefined);
  let [served, until] = [0, from];
  for (const life of begun.toSorted((one, other) => (one.servingFrom ?? 0) - (other.servingFrom ?? 0))) {
    const begin = Math.max(until, life.servingFrom ?? 0);
    const end = Math.min(to, life.to ?? to);
    if (end <= begin) continue;
    served += end - begin;
    until = end;
  }
  return served;
};

/**
 * Finds the kills of processes that held the lease of deliveries. Another one has taken over when it attempts a delivery, or when it
 * acquires the lease and is killed in turn.
 */
export const findTakeovers = ({
  lives,
  acquisitions,
  attempts,
  endedAt,
}: Pick<ReceiversEvidence, 'lives' | 'acquisitions' | 'attempts' | 'endedAt'>): readonly Takeover[] => {
  const ends = new Map(lives.map(({ process, to }) => [process, to]));
  const sorted = attempts.toSorted((one, other) => one - other);
  return acquisitions.flatMap((acquisition, index): readonly Takeover[] => {
    const process = processOf(acquisition, lives);
    const killedAt = process === null ? undefined : ends.get(process);
    const next = acquisitions[index + 1];
    if (process === null || killedAt === undefined) return [];
    // A lease that was lost before the kill is another's.
    if (next !== undefined && next.at < killedAt) return [];
    const attempt = sorted.find((at) => at > killedAt);
    const nextEnd = next && ends.get(processOf(next, lives) ?? '');
    const taken = Math.min(attempt ?? Number.POSITIVE_INFINITY, nextEnd ?? Number.POSITIVE_INFINITY);
    const isTaken = taken !== Number.POSITIVE_INFINITY;
    return [{ process, isTaken, afterMs: servedBetween(killedAt, isTaken ? taken : endedAt, lives) }];
  });
};

/** After the kill of the process that delivers another one does so in time. */
export const judgeTakeovers: ReceiversJudge = (evidence) =>
  findTakeovers(evidence).flatMap(({ process, isTaken, afterMs }): Violation[] => {
    if (afterMs <= takeoverLimitMs) return [];
    const how = isTaken ? 'the next attempt was made after' : 'no process has delivered for';
    return [violation('takeovers', `${process} was killed, and ${how} ${Math.round(afterMs)} ms`)];
  });

/** Endpoints whose receivers work had got everything in time, and have so at the end. */
export const judgeLag: EndpointsJudge = ({ events, endpoints }) => {
  const end = events.at(-1)?.sequence ?? 0;
  return endpoints
    .filter(({ works }) => works)
    .flatMap(({ name, position, lagMs }) => [
      ...(lagMs === undefined
        ? [violation('lag', `${name} lags ${lagLimitMs / 1_000} s after the last kill`)]
        : []),
      ...(position < end ? [violation('lag', `${name} is at ${position} of ${end}`)] : []),
    ]);
};
